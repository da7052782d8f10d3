import { scopes, toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { requiredScopes } from './required-scopes.ts';

/** Of the declared tool. */
function scopesFor(name: string, args: unknown): readonly string[] {
  const declared = toolDeclarations.find((tool) => tool.name === name);
  if (declared === undefined) {
    throw new Error(`no tool ${name}`);
  }
  return requiredScopes(declared, args);
}

describe('requiredScopes', () => {
  it.each([
    ['gemini_query', {}, ['gemini:query']],
    ['gemini_query', { prompt: 'x', files: [], glob_patterns: [], directories: [] }, ['gemini:query']],
    ['gemini_query', { files: ['a'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { glob_patterns: ['*'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { directories: ['.'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { files: 'a' }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { files: null }, ['gemini:query']],
    ['gemini_query', { files: { length: 0 } }, ['gemini:query', 'gemini:files']],
    ['gemini_context', {}, ['gemini:query', 'gemini:files']],
    ['geminiChat', {}, ['gemini:chat']],
    ['geminiChat', { workingDirectory: 'src' }, ['gemini:chat', 'gemini:files']],
    ['geminiChat', { yolo: false }, ['gemini:chat']],
    ['geminiChat', { yolo: true }, scopes],
    ['geminiChat', { yolo: 'true' }, scopes],
    ['chat', { cwd: 'src' }, ['gemini:chat', 'gemini:files']],
    ['chat', { systemPrompt: 'x' }, ['gemini:chat']],
    ['chat-reply', { cwd: 'src' }, ['gemini:chat', 'gemini:files']],
    ['chat-reply', { sessionId: 'x' }, ['gemini:chat']],
    ['chat-delete', { sessionId: 'x' }, ['gemini:chat']],
    ['googleSearch', { query: 'x', workingDirectory: 'src' }, ['gemini:search', 'gemini:files']],
    ['googleSearch', { query: 'x', yolo: true }, scopes],
    ['gemini_read', { handle: 'x' }, []],
    ['gemini_job', { handle: 'x' }, []],
  ])('asks for %s with %j: %j', (name, args, needed) => {
    expect(scopesFor(name, args)).toEqual(needed);
  });

  it.each([
    [{ path: 'src/a.ts' }, { files: z.array(z.string()), directories: z.array(z.string()) }],
    [{ arguments: { files: ['a'] } }, { files: z.array(z.string()) }],
    [{ params: '{"file":"a"}' }, { files: z.array(z.string()) }],
  ])('counts an argument as given under each name that is read as it: %j', (args, shape) => {
    const scopes = { always: [], byArgument: { files: ['gemini:files'] } } as const;
    expect(requiredScopes({ scopes, input: z.strictObject(shape) }, args)).toEqual(['gemini:files']);
  });

  it('reads only the arguments of the call', () => {
    expect(scopesFor('gemini_query', Object.create({ files: ['a'] }))).toEqual(['gemini:query']);
    expect(scopesFor('geminiChat', JSON.parse('{"__proto__":{"yolo":true}}'))).toEqual(['gemini:chat']);
  });

  it('needs all scopes for a tool that declares none of its own', () => {
    expect(requiredScopes({}, {})).toEqual(scopes);
  });

  it('needs for any input at least the scopes of a call without arguments', () => {
    void fc.assert(
      fc.property(fc.constantFrom(...toolDeclarations), fc.anything({ withNullPrototype: true }), (tool, args) => {
        expect(requiredScopes(tool, args)).toEqual(expect.arrayContaining([...requiredScopes(tool, {})]));
      }),
    );
  });
});
