import { toolNames } from '@gemini-mcp/server';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredScopes, toolsWithScopes } from './required-scopes.ts';
import { scopes } from './scope.ts';

describe('requiredScopes', () => {
  it('knows every tool that can be offered', () => {
    expect([...toolsWithScopes].sort()).toEqual([...toolNames].sort());
  });

  it.each([
    ['gemini_query', {}, ['gemini:query']],
    ['gemini_query', { prompt: 'x', files: [], glob_patterns: [], directories: [] }, ['gemini:query']],
    ['gemini_query', { files: ['a'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { glob_patterns: ['*'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { directories: ['.'] }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { files: 'a' }, ['gemini:query', 'gemini:files']],
    ['gemini_query', { files: null }, ['gemini:query', 'gemini:files']],
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
    ['unknown', { files: ['a'], yolo: true }, []],
    ['__proto__', { yolo: true }, []],
  ])('asks for %s with %j: %j', (name, args, needed) => {
    expect(requiredScopes(name, args)).toEqual(needed);
  });

  it('looks at arguments of the call alone', () => {
    expect(requiredScopes('gemini_query', Object.create({ files: ['a'] }))).toEqual(['gemini:query']);
    expect(requiredScopes('geminiChat', JSON.parse('{"__proto__":{"yolo":true}}'))).toEqual(['gemini:chat']);
  });

  it('is total: whatever comes, it asks for no less than for a call without arguments', () => {
    void fc.assert(
      fc.property(fc.constantFrom(...toolNames), fc.anything({ withNullPrototype: true }), (name, args) => {
        expect(requiredScopes(name, args)).toEqual(expect.arrayContaining([...requiredScopes(name, {})]));
      }),
    );
  });
});
