import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageSplitter } from './message-splitter.ts';

function split(chunks: readonly Buffer[], maxLineBytes = 1_000): { lines: string[]; accepted: boolean[] } {
  const splitter = new MessageSplitter({ maxLineBytes });
  const lines: string[] = [];
  const accepted = chunks.map((chunk) => splitter.push(chunk, (line) => lines.push(line.toString('utf8'))));
  return { lines, accepted };
}

/** Cuts bytes at arbitrary places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('LineSplitter', () => {
  it('yields the same lines however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
        fc.array(fc.nat()),
        (lines, places) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          expect(split(cut(bytes, places), 100_000).lines).toEqual(lines);
        },
      ),
    );
  });

  it('keeps what has no newline yet to itself', () => {
    expect(split([Buffer.from('one\ntw'), Buffer.from('o')]).lines).toEqual(['one']);
  });

  it('takes a line of exactly the limit, in one piece or in many', () => {
    const line = 'x'.repeat(10);
    expect(split([Buffer.from(`${line}\n`)], 10)).toEqual({ lines: [line], accepted: [true] });
    expect(split(cut(Buffer.from(`${line}\n`), [3, 4, 9, 10]), 10).lines).toEqual([line]);
  });

  it('refuses a line beyond the limit, finished or not, after the lines before it', () => {
    expect(split([Buffer.from(`a\n${'x'.repeat(11)}\nb\n`)], 10)).toEqual({ lines: ['a'], accepted: [false] });
    expect(split([Buffer.from('x'.repeat(6)), Buffer.from('x'.repeat(6))], 10).accepted).toEqual([true, false]);
    expect(split([Buffer.from('x'.repeat(6)), Buffer.from('xxxxx\n')], 10).accepted).toEqual([true, false]);
  });

  it('joins a long line that arrives byte by byte', () => {
    const bytes = Buffer.from(`${'abc'.repeat(70_000)}\nd\n`);
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(split(chunks, 1_000_000).lines).toEqual(['abc'.repeat(70_000), 'd']);
  });
});
