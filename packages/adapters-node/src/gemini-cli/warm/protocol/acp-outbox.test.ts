import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { AcpOutbox } from './acp-connection.ts';

function ignore(): void {}

async function nextMicrotask(): Promise<void> {}

/** `once` would reject for the error that comes before. */
function closed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('close', resolve);
  });
}

/** Takes a write only on request. */
class SlowReader extends Writable {
  readonly taken: Buffer[] = [];
  #takeNext: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk);
    this.#takeNext = done;
  }

  /** Resolves to whether there was anything to take. */
  async take(): Promise<boolean> {
    const next = this.#takeNext;
    this.#takeNext = undefined;
    next?.();
    await nextTurn();
    return next !== undefined;
  }
}

describe('AcpOutbox', () => {
  it('writes a short message at once', () => {
    const stdin = new PassThrough();
    new AcpOutbox(stdin).send({ id: 1 }, ignore);
    expect(String(stdin.read())).toBe('{"id":1}\n');
  });

  it('writes message after message, never one into another', async () => {
    const stdin = new PassThrough();
    const outbox = new AcpOutbox(stdin);
    const messages = [{ long: 'é"'.repeat(500_000) }, { cancel: 1 }, { long: '😀'.repeat(300_000) }, { cancel: 2 }];
    const dropped: unknown[] = [];
    for (const message of messages) {
      outbox.send(message, () => dropped.push(message));
    }
    const lines: string[] = [];
    for await (const line of createInterface(stdin)) {
      lines.push(line);
      if (lines.length === messages.length) {
        break;
      }
    }
    expect(lines.map((line) => JSON.parse(line))).toEqual(messages);
    expect(dropped).toEqual([]);
  });

  it('hands over no more than the reader takes', async () => {
    const stdin = new SlowReader();
    const outbox = new AcpOutbox(stdin);
    const message = { text: 'x'.repeat(1_000_000) };
    outbox.send(message, ignore);
    outbox.send({ cancel: true }, ignore);
    await nextTurn();
    expect(stdin.taken).toHaveLength(1);
    expect(stdin.writableLength).toBeLessThan(262_145);
    while (await stdin.take()) {
      expect(stdin.writableLength).toBeLessThan(262_145);
    }
    expect(String(Buffer.concat(stdin.taken))).toBe(`${JSON.stringify(message)}\n{"cancel":true}\n`);
  });

  it('leaves the event loop air while a stream takes everything at once', async () => {
    let turnsBeforeEnd = 0;
    let bytes = 0;
    const stdin = new Writable({
      highWaterMark: 1_000_000_000,
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        // As dear as the slowest of readers, so that the whole takes many slices of time.
        for (const endsAtMs = performance.now() + 1; performance.now() < endsAtMs; ) {}
        done();
      },
    });
    const outbox = new AcpOutbox(stdin);
    outbox.send({ text: 'x'.repeat(3_000_000) }, ignore);
    while (outbox.waiting > 0 && turnsBeforeEnd < 100_000) {
      await nextTurn();
      turnsBeforeEnd += 1;
    }
    expect(bytes).toBe(3_000_000 + '{"text":""}\n'.length);
    expect(turnsBeforeEnd).toBeGreaterThan(5);
  });

  it('drops everything that is not wholly written when it is closed, and writes nothing from then on', async () => {
    const stdin = new SlowReader();
    const outbox = new AcpOutbox(stdin);
    const dropped: string[] = [];
    outbox.send({ text: 'x'.repeat(1_000_000) }, () => dropped.push('long'));
    outbox.send({ cancel: true }, () => dropped.push('short'));
    outbox.close();
    outbox.close();
    outbox.send({ late: true }, () => dropped.push('late'));
    while (await stdin.take()) {}
    expect(dropped).toEqual(['long', 'short', 'late']);
    expect(outbox.waiting).toBe(0);
    expect(stdin.taken).toHaveLength(1);
  });

  it('takes a stream that breaks for the end', async () => {
    const stdin = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const outbox = new AcpOutbox(stdin);
    const dropped: string[] = [];
    outbox.send({ text: 'x'.repeat(1_000_000) }, () => dropped.push('long'));
    await closed(stdin);
    expect(new Set(dropped)).toEqual(new Set(['long']));
    outbox.send({ id: 2 }, () => dropped.push('later'));
    expect(dropped.at(-1)).toBe('later');
  });

  it('reports a short message that the stream took and could not deliver', async () => {
    const stdin = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done, new Error('EPIPE')) });
    const outbox = new AcpOutbox(stdin);
    const dropped: string[] = [];
    outbox.send({ id: 1 }, () => dropped.push('short'));
    await nextMicrotask();
    expect(outbox.waiting).toBe(0);
    expect(dropped).toEqual([]);
    await closed(stdin);
    expect(dropped).toContain('short');
  });

  it('drops pending writes when another destroys the stream', async () => {
    const stdin = new SlowReader();
    const outbox = new AcpOutbox(stdin);
    const dropped: string[] = [];
    outbox.send({ text: 'x'.repeat(1_000_000) }, () => dropped.push('long'));
    stdin.destroy();
    await closed(stdin);
    expect(dropped).toContain('long');
    expect(outbox.waiting).toBe(0);
  });
});
