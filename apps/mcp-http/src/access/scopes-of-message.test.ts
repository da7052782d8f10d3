import { createPrompts, maxBatchMessages } from '@gemini-mcp/mcp/internal';
import { scopes, toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathArguments, scopesOfMessage } from './required-scopes.ts';

const scopesOf = (body: unknown): readonly string[] => scopesOfMessage(body, toolDeclarations);

const call = (name: unknown, args?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }) },
});

const complete = (ref: object, name: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'completion/complete',
  params: { ref, argument: { name, value: '' } },
});

describe('scopesOfMessage', () => {
  it.each([
    ['a call without arguments', call('gemini_query'), ['gemini:query']],
    ['a call with files', call('gemini_query', { files: ['a'] }), ['gemini:query', 'gemini:files']],
    ['a call without an id', { method: 'tools/call', params: { name: 'chat' } }, ['gemini:chat']],
    ['an unknown tool', call('unknown'), []],
    ['a tool of another server', call('memory__read_graph'), ['gemini:servers']],
    ['a call of one that was found', call('call_tool', { name: 'memory__read_graph' }), ['gemini:servers']],
    ['a tool without a name', call(undefined), []],
    ['a tool name that is not text', call(['gemini_query']), []],
    ['another method', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: 'gemini_query' } }, []],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, []],
    ['paths for a prompt', complete({ type: 'ref/prompt', name: 'review' }, 'target'), ['gemini:files']],
    ['paths of another server', complete({ type: 'ref/prompt', name: 'every__read' }, 'path'), []],
    ['models for a prompt', complete({ type: 'ref/prompt', name: 'review' }, 'model'), []],
    ['ids of own sessions', complete({ type: 'ref/resource', uri: 'gemini://sessions/{id}' }, 'path'), []],
    ['nothing', null, []],
    ['text', 'tools/call', []],
  ])('says what %s needs', (_, body, needed) => {
    expect(scopesOf(body)).toEqual(needed);
  });

  it('needs for a batch the scopes of all its messages', () => {
    const batch = [
      call('googleSearch'),
      null,
      call('gemini_query', { files: ['a'] }),
      call('googleSearch'),
      [call('chat')],
    ];
    expect(scopesOf(batch)).toEqual(['gemini:query', 'gemini:search', 'gemini:files']);
    expect(scopesOf([])).toEqual([]);
  });

  it('needs all scopes for a batch over the limit, without reading its messages', () => {
    const untouched = new Proxy(
      {},
      {
        get: () => {
          throw new Error('looked at');
        },
      },
    );
    const tooMany = Array.from({ length: maxBatchMessages + 1 }, () => untouched);
    expect(scopesOf(tooMany)).toEqual(scopes);
    expect(scopesOf(Array.from({ length: maxBatchMessages }, () => call('chat')))).toEqual(['gemini:chat']);
  });

  it('never throws', () => {
    void fc.assert(fc.property(fc.anything(), (body) => Array.isArray(scopesOf(body))));
  });

  it('knows every prompt argument with path completions', async () => {
    const asked: string[] = [];
    const completePath = async (prefix: string): Promise<readonly string[]> => {
      asked.push(prefix);
      return [];
    };
    const context = { owner: 'owner', clientName: null, signal: new AbortController().signal, given: {} };
    const prompts = createPrompts({ completePath, models: [], toolNames: toolDeclarations.map(({ name }) => name) });
    for (const { name, complete: completer } of prompts.flatMap((prompt) => prompt.arguments)) {
      await completer?.(name, context);
    }
    expect([...new Set(asked)].sort()).toEqual([...pathArguments].sort());
  });
});
