import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacedChunks } from './paced-chunks.ts';

/** Blocks, like a piece that is costly to read. */
function work(durationMs: number): void {
  const endsAtMs = performance.now() + durationMs;
  while (performance.now() < endsAtMs) {
    // Only spends time.
  }
}

describe('PacedChunks', () => {
  it('delivers everything, in order, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }), async (sizes) => {
        const read: Buffer[] = [];
        const chunks = new PacedChunks((piece) => read.push(piece));
        const pushed = sizes.map((size, index) => Buffer.alloc(size, `${index}`));
        for (const chunk of pushed) {
          chunks.push(chunk);
        }
        await chunks.whenRead();
        expect(Buffer.concat(read).equals(Buffer.concat(pushed))).toBe(true);
      }),
    );
  });

  it('continues after an idle period', async () => {
    const read: string[] = [];
    const chunks = new PacedChunks((piece) => read.push(piece.toString()));
    for (const text of ['', 'a', '', 'b']) {
      chunks.push(Buffer.from(text));
      await chunks.whenRead();
    }
    expect(read).toEqual(['a', 'b']);
    await chunks.whenRead();
  });

  it('reads nothing before the caller is done, and lets the event loop turn in between', async () => {
    let pieces = 0;
    let turns = 0;
    const chunks = new PacedChunks(() => {
      pieces += 1;
      work(4);
    });
    chunks.push(Buffer.alloc(40 * 8_192));
    expect(pieces).toBe(0);
    const whenRead = chunks.whenRead();
    while (pieces < 40) {
      await nextTurn();
      turns += 1;
    }
    await whenRead;
    // A slice takes at least ten milliseconds, so at most three of these pieces.
    expect(turns).toBeGreaterThan(10);
  });

  it('discards waiting chunks, even during a read', async () => {
    let pieces = 0;
    const chunks = new PacedChunks(() => {
      pieces += 1;
      chunks.clear();
    });
    chunks.push(Buffer.alloc(100_000));
    await chunks.whenRead();
    expect(pieces).toBe(1);
    chunks.push(Buffer.alloc(1));
    chunks.clear();
    await chunks.whenRead();
    expect(pieces).toBe(1);
  });
});
