import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AcpConnection, type AcpConnectionLimits, type AcpFault } from './acp-connection.ts';
import type { AcpUpdate } from './acp-messages.ts';

const isClosed = { ok: false, closed: true };

type Opened = {
  readonly connection: AcpConnection;
  readonly stdin: PassThrough;
  readonly updates: [string, AcpUpdate][];
  readonly faults: AcpFault[];
  /** The messages that were written since the last time. */
  readonly written: () => unknown[];
};

function open(limits: Partial<AcpConnectionLimits> = {}, stdin = new PassThrough()): Opened {
  const updates: [string, AcpUpdate][] = [];
  const faults: AcpFault[] = [];
  const connection = new AcpConnection({
    stdin,
    onUpdate: (sessionId, update) => updates.push([sessionId, update]),
    onFault: (fault) => faults.push(fault),
    limits,
  });
  const written = () => {
    const lines = String(stdin.read() ?? '').split('\n');
    return lines.slice(0, -1).map((line): unknown => JSON.parse(line));
  };
  return { connection, stdin, updates, faults, written };
}

function line(message: object): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function chunk(text: string, sessionId = 's'): Buffer {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return line({ method: 'session/update', params: { sessionId, update } });
}

describe('AcpConnection: requests', () => {
  it('gives each request the reply that has its id', async () => {
    const { connection, written } = open();
    const replies = [connection.request('first', { a: 1 }), connection.request('second', {})];
    await nextTurn();
    expect(written()).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'first', params: { a: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'second', params: {} },
    ]);
    connection.receive(line({ id: 2, error: { code: 429, message: 'Quota' } }));
    connection.receive(line({ id: 1, result: { done: true } }));
    expect(await Promise.all(replies)).toEqual([
      { ok: true, result: { done: true } },
      { ok: false, closed: false, code: 429, message: 'Quota' },
    ]);
  });

  it('reports the updates that came before a reply before the reply', async () => {
    const { connection, updates } = open();
    const reply = connection.request('session/prompt', {}).then(() => updates.length);
    connection.receive(Buffer.concat([chunk('one'), chunk('two'), line({ id: 1, result: {} })]));
    expect(await reply).toBe(2);
  });

  it('resolves pending requests when it is closed, and writes nothing from then on', async () => {
    const { connection, written } = open();
    const pending = [connection.request('first', {}), connection.request('second', {})];
    await nextTurn();
    written();
    connection.close();
    connection.close();
    connection.notify('session/cancel', {});
    const late = connection.request('late', {});
    expect(await Promise.all([...pending, late])).toEqual([isClosed, isClosed, isClosed]);
    expect(written()).toEqual([]);
  });

  it('reads the received output before it finishes', async () => {
    const { connection, updates } = open();
    const replies = [connection.request('first', {}), connection.request('second', {})];
    connection.receive(chunk('last words'));
    connection.receive(line({ id: 1, result: 7 }).subarray(0, -1));
    await connection.finish();
    expect(updates).toEqual([['s', { kind: 'agent-message', text: 'last words' }]]);
    expect(await Promise.all(replies)).toEqual([{ ok: true, result: 7 }, isClosed]);
  });

  it('resolves a request that a broken pipe did not take', async () => {
    const stdin = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done, new Error('EPIPE')) });
    const connection = new AcpConnection({ stdin, onUpdate: () => {}, onFault: () => {} });
    expect(await connection.request('first', { text: 'x'.repeat(1_000_000) })).toEqual(isClosed);
    expect(await connection.request('second', {})).toEqual(isClosed);
  });

  it('rejects only values that JSON cannot carry', async () => {
    await expect(open().connection.request('first', { count: 1n })).rejects.toThrow(TypeError);
  });
});

describe('AcpConnection: requests of the agent', () => {
  it('refuses a permission by cancelling, and everything else as unknown, and reports it', async () => {
    const { connection, written, faults } = open();
    connection.receive(line({ id: 'a', method: 'session/request_permission', params: { options: [] } }));
    connection.receive(line({ id: 0, method: 'fs/read_text_file', params: { path: '/etc/passwd' } }));
    await connection.finish();
    expect(written()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { outcome: { outcome: 'cancelled' } } },
      { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found' } },
    ]);
    expect(faults).toEqual([
      { kind: 'asked', method: 'session/request_permission' },
      { kind: 'asked', method: 'fs/read_text_file' },
    ]);
  });

  it('stops answering an agent that does not read', async () => {
    const stdin = new PassThrough({ highWaterMark: 1 });
    const { connection, faults } = open({ maxUnsentMessages: 10 }, stdin);
    connection.receive(Buffer.concat(Array.from({ length: 5_000 }, (_, id) => line({ id, method: 'ask' }))));
    await connection.finish();
    const held = stdin.readableLength + stdin.writableLength;
    expect(faults).toHaveLength(5_000);
    expect(held).toBeLessThan(2_000);
  });
});

describe('AcpConnection: hostile streams', () => {
  it('reads the same whatever the chunks, through characters of several bytes', async () => {
    const whole = Buffer.concat([
      chunk('é😀\u2028'),
      chunk('日本語'),
      Buffer.from('\n\r\n'),
      line({ id: 1, result: 'ü' }),
    ]);
    for (const size of [1, 2, 3, 5, 7, 64]) {
      const { connection, updates } = open();
      const reply = connection.request('first', {});
      for (let start = 0; start < whole.length; start += size) {
        connection.receive(whole.subarray(start, start + size));
      }
      await connection.finish();
      expect(await reply).toEqual({ ok: true, result: 'ü' });
      expect(updates.map(([, update]) => update)).toEqual([
        { kind: 'agent-message', text: 'é😀\u2028' },
        { kind: 'agent-message', text: '日本語' },
      ]);
    }
  });

  it('tolerates a few stray lines', async () => {
    const { connection, updates, faults } = open();
    connection.receive(Buffer.from('Loaded cached credentials.\n{"jsonrpc":"2.0",\n'));
    connection.receive(chunk('text'));
    await connection.finish();
    expect(updates).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('reports too many of them once, and stops reading', async () => {
    const { connection, updates, faults } = open();
    const stray = Buffer.from('not JSON\n'.repeat(250_000));
    connection.receive(stray);
    connection.receive(chunk('text'));
    await connection.finish();
    expect(faults).toEqual([{ kind: 'garbage' }]);
    expect(updates).toEqual([]);
  });

  it.each([
    ['an unknown id', line({ id: 99, result: {} })],
    ['the id as a string', line({ id: '1', result: {} })],
    ['no id', line({ id: null, error: { code: -32700, message: 'Parse error' } })],
    ['an id of megabytes', line({ id: '9'.repeat(2_000_000), result: {} })],
    ['a list for an id', line({ id: [1], result: {} })],
    ['an id that is taken', Buffer.concat([line({ id: 1, result: {} }), line({ id: 1, result: {} })])],
  ])('reports a reply without a request: %s', async (_name, reply) => {
    const { connection, faults } = open();
    const first = connection.request('first', {});
    connection.receive(reply);
    connection.receive(line({ id: 1, result: {} }));
    await connection.finish();
    await first;
    expect(faults).toEqual([{ kind: 'garbage' }]);
    expect(JSON.stringify(faults).length).toBeLessThan(1_500);
  });

  it('reports a line as soon as it is too long', async () => {
    const { connection, faults } = open({ maxLineBytes: 100_000 });
    connection.receive(Buffer.from(`{"jsonrpc":"2.0","result":"${'x'.repeat(200_000)}`));
    await connection.finish();
    expect(faults).toEqual([{ kind: 'overlong' }]);
  });

  it('reports a flood that outruns it, and drops it', async () => {
    const { connection, faults, updates } = open({ maxUnreadBytes: 1_000_000 });
    const flood = Buffer.concat(Array.from({ length: 1_000 }, () => chunk('x')));
    for (let count = 0; count < 50; count += 1) {
      connection.receive(flood);
    }
    await connection.finish();
    expect(faults).toEqual([{ kind: 'overlong' }]);
    expect(updates).toEqual([]);
  });

  it('continues as long as the reader keeps up', async () => {
    const { connection, faults, updates } = open({ maxUnreadBytes: 100_000 });
    const some = Buffer.concat(Array.from({ length: 100 }, () => chunk('x')));
    for (let id = 1; id <= 30; id += 1) {
      const reply = connection.request('ping', {});
      connection.receive(Buffer.concat([some, line({ id, result: {} })]));
      await reply;
    }
    await connection.finish();
    expect(updates).toHaveLength(3_000);
    expect(faults).toEqual([]);
  });

  it('reads 20,000 updates in order, with air for everything else', async () => {
    const { connection, updates } = open();
    const all = Array.from({ length: 20_000 }, (_, index) => chunk(String(index)));
    connection.receive(Buffer.concat(all));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    await connection.finish();
    clearInterval(counting);
    const texts = updates.map(([, update]) => ('text' in update ? update.text : null));
    expect(texts).toEqual(all.map((_, index) => String(index)));
    expect(turns).toBeGreaterThan(1);
  });

  it('survives nesting of any depth', async () => {
    const { connection, faults } = open();
    const reply = connection.request('first', {});
    const depth = 200_000;
    connection.receive(Buffer.from(`{"jsonrpc":"2.0","method":"other","params":${'['.repeat(depth)}\n`));
    connection.receive(
      Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}\n`),
    );
    await connection.finish();
    expect(await reply).toMatchObject({ ok: true });
    expect(faults).toEqual([]);
  });

  it('ignores an update of an invalid shape', async () => {
    const { connection, updates } = open();
    connection.receive(line({ method: 'session/update', params: { sessionId: '__proto__', update: 7 } }));
    await connection.finish();
    expect(updates).toEqual([['__proto__', { kind: 'other' }]]);
  });

  it('reads nothing more when an update makes its owner close it', async () => {
    const texts: AcpUpdate[] = [];
    const connection: AcpConnection = new AcpConnection({
      stdin: new PassThrough(),
      onUpdate: (_sessionId, update) => {
        texts.push(update);
        connection.close();
      },
      onFault: () => {},
    });
    connection.receive(Buffer.concat([chunk('one'), chunk('two'), line({ id: 77, result: {} })]));
    connection.receive(chunk('three'));
    await connection.finish();
    expect(texts).toEqual([{ kind: 'agent-message', text: 'one' }]);
  });
});
