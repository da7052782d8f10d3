import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAcpLine } from './acp-messages.ts';

function parse(message: object): unknown {
  return parseAcpLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

describe('parseAcpLine', () => {
  it.each([
    [
      { id: 1, result: {} },
      { type: 'result', id: 1, result: {} },
    ],
    [
      { id: 1, result: null },
      { type: 'result', id: 1, result: null },
    ],
    [
      { id: '1', result: 7 },
      { type: 'result', id: '1', result: 7 },
    ],
    [
      { id: 1, error: { code: 429, message: 'Quota' } },
      { type: 'error', id: 1, code: 429, message: 'Quota' },
    ],
    [
      { id: 1, error: { code: -32603, message: 'Internal error', data: { details: 'No such directory' } } },
      { type: 'error', id: 1, code: -32603, message: 'Internal error: No such directory' },
    ],
    [
      { id: null, error: 'no' },
      { type: 'error', id: null, code: -32603, message: '' },
    ],
    [
      { id: 1, error: { code: 'x', message: 7, data: 7 } },
      { type: 'error', id: 1, code: -32603, message: '' },
    ],
    [
      { id: 'a', method: 'fs/read_text_file', params: {} },
      { type: 'request', id: 'a', method: 'fs/read_text_file' },
    ],
    [
      { method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'plan' } } },
      { type: 'update', sessionId: 's', update: { kind: 'other' } },
    ],
    [
      { method: 'session/update', params: { sessionId: 's' } },
      { type: 'update', sessionId: 's', update: { kind: 'other' } },
    ],
    [{ method: 'elicitation/complete', params: {} }, { type: 'other' }],
  ])('reads %j', (message, expected) => {
    expect(parse(message)).toEqual(expected);
  });

  it.each([
    ['{"id":1,"result":{}}'],
    ['{"jsonrpc":"2.0","id":1}'],
    ['{"jsonrpc":"2.0","method":7}'],
    ['{"jsonrpc":"2.0","id":null,"method":"ask"}'],
    ['{"jsonrpc":"2.0","id":1e999,"method":"ask"}'],
    [`{"jsonrpc":"2.0","id":"${'9'.repeat(201)}","method":"ask"}`],
    ['{"jsonrpc":"2.0","method":"session/update","params":{"update":{}}}'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['{"jsonrpc":"2.0","id":1,"result":{'],
    ['Loaded cached credentials.'],
    ['null'],
  ])('finds %s unreadable', (line) => {
    expect(parseAcpLine(line)).toEqual({ type: 'unreadable' });
  });

  it('keeps of a message of megabytes what anybody could want to read', () => {
    expect(parse({ id: 1, error: { code: 500, message: 'x'.repeat(5_000_000) } })).toEqual({
      type: 'error',
      id: 1,
      code: 500,
      message: 'x'.repeat(65_536),
    });
  });

  it('has an answer to whatever comes', () => {
    const member = fc.option(fc.jsonValue(), { nil: undefined });
    const method = fc.constantFrom(undefined, 'session/update', 'ask');
    fc.assert(
      fc.property(member, method, member, member, member, (id, name, params, result, error) => {
        expect(parse({ id, method: name, params, result, error })).toHaveProperty('type');
      }),
    );
  });
});
