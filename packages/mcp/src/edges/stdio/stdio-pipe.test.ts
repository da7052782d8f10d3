import { PassThrough, Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcMessage } from '../rpc-message.ts';
import { StdioPipe } from './stdio-pipe.ts';
import type { StdioEnd } from './stdio-served.ts';

type Wire = {
  readonly transport: StdioPipe;
  readonly received: RpcMessage[];
  readonly errors: Error[];
  readonly closes: string[];
};

async function start(stdin: Readable, stdout: Writable): Promise<Wire> {
  const transport = new StdioPipe({ stdin, stdout, lastAnswersMs: 0 }, () => false);
  const wire: Wire = { transport, received: [], errors: [], closes: [] };
  transport.onmessage = (message) => wire.received.push(message);
  transport.onerror = (error) => wire.errors.push(error);
  transport.onclose = () => wire.closes.push('closed');
  transport.start();
  return wire;
}

/** Feeds chunks, then the end, and returns everything that came of it. */
async function feed(chunks: readonly (Buffer | string)[]): Promise<Wire & { end: StdioEnd; output: string }> {
  const stdout = new PassThrough();
  const wire = await start(Readable.from(chunks, { objectMode: false }), stdout);
  const end = await wire.transport.ended;
  return { ...wire, end, output: String(stdout.read() ?? '') };
}

/** A stream whose reader takes chunks only when told to. */
class ReluctantWritable extends Writable {
  readonly taken: string[] = [];
  #take: (() => void) | null = null;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#take = () => {
      this.taken.push(chunk.toString());
      done();
    };
  }

  /** Takes one chunk after another until no more come. */
  async takeAll(): Promise<void> {
    for (let take = this.#take; take !== null; take = this.#take) {
      this.#take = null;
      take();
      await new Promise(setImmediate);
    }
  }
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

describe('StdioPipe reading', () => {
  it('delivers the same messages however the bytes are cut', async () => {
    const message = fc.record({
      jsonrpc: fc.constant('2.0'),
      method: fc.constant('notifications/x'),
      params: fc.record({ text: fc.string({ unit: 'binary' }) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message), fc.array(fc.nat(), { maxLength: 20 }), async (messages, places) => {
        const bytes = Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(''));
        const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const { received } = await feed(chunks.filter((chunk) => chunk.length > 0));
        expect(received).toEqual(messages);
      }),
      { numRuns: 30 },
    );
  });

  it('reads streams that decode for themselves', async () => {
    const stdin = Readable.from([`${initialized}\n`], { objectMode: false, encoding: 'utf8' });
    const { transport, received } = await start(stdin, new PassThrough());
    await transport.ended;
    expect(received).toHaveLength(1);
  });

  it('strips a byte order mark at the very beginning and nowhere else', async () => {
    const { received, output } = await feed([`\ufeff${initialized}\n\ufeff${ping}\n`]);
    expect(received).toEqual([JSON.parse(initialized)]);
    expect(JSON.parse(output)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('answers unreadable lines with an error and goes on', async () => {
    const { received, output, errors } = await feed([`nonsense\n[]\n{"id":"x"}\n\n${ping}\n`]);
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 'x', error: { code: -32600, message: expect.any(String) } },
    ]);
    expect(received).toEqual([JSON.parse(ping)]);
    expect(errors).toHaveLength(3);
  });

  it('reports a malformed answer without answering it', async () => {
    const { output, errors } = await feed(['{"jsonrpc":"2.0","id":1,"result":5}\n']);
    expect(output).toBe('');
    expect(errors).toHaveLength(1);
  });

  it('drops half a message at the end of the input', async () => {
    const { received, output, end, closes } = await feed([`${ping}\n`, ping]);
    expect(received).toHaveLength(1);
    expect(output).toBe('');
    expect(end).toEqual({ reason: 'end-of-input', cause: null });
    expect(closes).toEqual(['closed']);
  });

  it('stops reading and holding a line beyond 10 MiB', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let pulled = 0;
    const endless = new Readable({
      read() {
        pulled += 1;
        this.push(chunk);
      },
    });
    const stdout = new PassThrough();
    const { transport, closes } = await start(endless, stdout);
    const end = await transport.ended;
    expect(end.reason).toBe('line-too-long');
    expect(end.cause?.message).toContain('10485760 bytes');
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ id: null, error: { code: -32600 } });
    await new Promise(setImmediate);
    expect(pulled).toBeLessThan(164);
    expect(closes).toEqual(['closed']);
    endless.destroy();
  });

  it('delivers nothing after it was closed, not even the rest of a chunk', async () => {
    const stdin = new PassThrough();
    const { transport, received } = await start(stdin, new PassThrough());
    transport.onmessage = (message) => {
      received.push(message);
      void transport.close();
    };
    stdin.write(`${initialized}\n${initialized}\n`);
    await transport.ended;
    expect(received).toHaveLength(1);
  });
});

describe('StdioPipe writing', () => {
  it('writes one line a message, whatever is in it', async () => {
    const stdout = new PassThrough();
    const { transport } = await start(new PassThrough(), stdout);
    const text = 'a\nb\r\nc\u2028d\u2029e\u0085f "\ud800" \\u2028';
    await transport.send({ jsonrpc: '2.0', id: 1, result: { text } });
    const written = String(stdout.read());
    expect(written.match(/[\n\r\u0085\u2028\u2029]/g)).toEqual(['\n']);
    expect(JSON.parse(written)).toEqual({ jsonrpc: '2.0', id: 1, result: { text } });
  });

  it('lets senders wait until the client has read, with one listener for all', async () => {
    const stdout = new ReluctantWritable({ highWaterMark: 1 });
    const { transport } = await start(new PassThrough(), stdout);
    const listeners = stdout.listenerCount('drain');
    const settled: number[] = [];
    const sends = [1, 2, 3].map((id) =>
      transport.send({ jsonrpc: '2.0', id, result: {} }).then(() => settled.push(id)),
    );
    await new Promise(setImmediate);
    expect(settled).toEqual([]);
    expect(stdout.listenerCount('drain')).toBe(listeners);
    await stdout.takeAll();
    await Promise.all(sends);
    expect(settled).toEqual([1, 2, 3]);
    expect(stdout.taken).toHaveLength(3);
  });

  it('reads no further requests while a client leaves more than 8 MiB of answers unread', async () => {
    const stdin = new PassThrough();
    const stdout = new ReluctantWritable();
    const { transport, received } = await start(stdin, stdout);
    const sent = transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(8 * 1024 * 1024) } });
    stdin.write(`${initialized}\n`);
    await new Promise(setImmediate);
    expect(received).toEqual([]);
    await stdout.takeAll();
    await sent;
    await new Promise(setImmediate);
    expect(received).toHaveLength(1);
  });
});

describe('StdioPipe ending', () => {
  it('closes once when the output breaks, and lets the waiting senders go', async () => {
    const stdout = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('broken'), { code: 'EPIPE' })),
    });
    const { transport, closes } = await start(new PassThrough(), stdout);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    const end = await transport.ended;
    expect(end).toMatchObject({ reason: 'output-closed', cause: { code: 'EPIPE' } });
    await expect(transport.send({ jsonrpc: '2.0', id: 2, result: {} })).rejects.toThrow('closed');
    expect(closes).toEqual(['closed']);
  });

  it('closes when the output is destroyed without an error', async () => {
    const stdout = new PassThrough();
    const { transport } = await start(new PassThrough(), stdout);
    stdout.destroy();
    expect(await transport.ended).toEqual({ reason: 'output-closed', cause: null });
  });

  it('closes when the input is destroyed without an error', async () => {
    const stdin = new PassThrough();
    const { transport } = await start(stdin, new PassThrough());
    stdin.destroy();
    expect(await transport.ended).toEqual({ reason: 'end-of-input', cause: null });
  });

  it('closes once when the input fails', async () => {
    const stdin = new PassThrough();
    const { transport, closes } = await start(stdin, new PassThrough());
    stdin.destroy(new Error('unplugged'));
    expect(await transport.ended).toMatchObject({ reason: 'input-failed', cause: { message: 'unplugged' } });
    await new Promise(setImmediate);
    expect(closes).toEqual(['closed']);
  });

  it('survives what the streams do after it was closed', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const { transport, closes, errors } = await start(stdin, stdout);
    await transport.close();
    await transport.close();
    stdin.destroy(new Error('late'));
    stdout.destroy(new Error('late'));
    await new Promise(setImmediate);
    expect(await transport.ended).toEqual({ reason: 'closed', cause: null });
    expect(closes).toEqual(['closed']);
    expect(errors).toEqual([]);
  });

  it('leaves the streams open and the input paused', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const { transport } = await start(stdin, stdout);
    await transport.close();
    expect([stdin.isPaused(), stdin.destroyed, stdout.writable]).toEqual([true, false, true]);
  });
});
