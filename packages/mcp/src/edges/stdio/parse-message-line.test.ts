import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRpcMessage } from '../rpc-message.ts';
import { parseMessageLine } from './parse-message-line.ts';

function parse(text: string): ReturnType<typeof parseMessageLine> {
  return parseMessageLine(Buffer.from(text));
}

describe('parseLine', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"","method":"ping","params":{"_meta":{"x":1}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}',
  ])('takes %s', (line) => {
    expect(parse(line)).toEqual({ type: 'message', message: JSON.parse(line) });
  });

  it('takes a line that ended with CRLF', () => {
    expect(parse('{"jsonrpc":"2.0","id":1,"method":"ping"}\r').type).toBe('message');
  });

  it.each(['', ' ', '\r'])('passes over the blank line %j', (line) => {
    expect(parse(line)).toEqual({ type: 'blank' });
  });

  it.each(['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"', '\ufeff\ufeff{}', "{'id':1}"])(
    'answers %j with a parse error of no id',
    (line) => {
      expect(parse(line)).toMatchObject({ type: 'refused', id: null, code: -32700 });
    },
  );

  it('refuses bytes that are not UTF-8 rather than replacing them', () => {
    const line = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\xff"}}', 'latin1');
    expect(parseMessageLine(line)).toMatchObject({ type: 'refused', id: null, code: -32700 });
  });

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
    ['an empty batch', '[]', null],
    ['a number', '7', null],
    ['null', 'null', null],
    ['the id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['a broken id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
    ['an id of 2^60', '{"jsonrpc":"2.0","id":1152921504606846976,"method":"ping"}', null],
    ['an object as id', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', null],
    ['no version', '{"id":7,"method":"ping"}', 7],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['no method', '{"jsonrpc":"2.0","id":7}', 7],
    ['a method that is no string', '{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['params that are a list', '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7],
    ['a request that is also an answer', '{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}', 7],
    ['an unknown member', '{"jsonrpc":"2.0","id":7,"method":"ping","extra":1}', 7],
  ])('answers %s as an invalid request, with its id if it has one', (_, line, id) => {
    expect(parse(line)).toMatchObject({ type: 'refused', id, code: -32600 });
  });

  it.each(['{"jsonrpc":"2.0","id":7,"result":"text"}', '{"id":7,"error":"no"}'])(
    'never answers the malformed answer %s, whose id may be that of a running request',
    (line) => {
      expect(parse(line)).toEqual({ type: 'stray-response' });
    },
  );

  it('survives absurdly deep nesting', () => {
    expect(parse('['.repeat(200_000))).toMatchObject({ type: 'refused', code: -32700 });
    expect(parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatchObject({ type: 'refused', code: -32600 });
  });
});

describe('isRpcMessage', () => {
  const member = fc.oneof(
    fc.constantFrom('2.0', 'ping', 1, 0, '', null, true),
    fc.double(),
    fc.object({ maxDepth: 2 }),
  );
  const meta = fc.record({ progressToken: member }, { requiredKeys: [] });
  const params = fc.oneof(member, fc.record({ _meta: fc.oneof(meta, member) }, { requiredKeys: [] }));
  const error = fc.oneof(member, fc.record({ code: member, message: member, data: member }, { requiredKeys: [] }));
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
      id: member,
      method: member,
      params,
      result: params,
      error,
      other: member,
    },
    { requiredKeys: [] },
  );

  it('judges messages as the SDK does', () => {
    fc.assert(
      fc.property(message, (value) => {
        // As a line has it: without members that are undefined.
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(isRpcMessage(parsed)).toBe(JSONRPCMessageSchema.safeParse(parsed).success);
      }),
      { numRuns: 5_000 },
    );
  });
});
