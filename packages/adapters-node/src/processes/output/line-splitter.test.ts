import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type LineSplitterOptions } from './line-splitter.ts';

type Split = { readonly lines: readonly string[]; readonly overlongLines: number };

function split(options: LineSplitterOptions, chunks: readonly Buffer[]): Split {
  const splitter = new LineSplitter(options);
  const lines = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
  return { lines: lines.map((line) => line.toString('latin1')), overlongLines: splitter.overlongLines };
}

/** Many line ends, so that lines are short and chunks hold several. */
const stream = fc.array(fc.oneof(fc.constant(0x0a), fc.constant(0x23), fc.integer({ min: 0, max: 255 })), {
  maxLength: 120,
});

const chunked: fc.Arbitrary<readonly Buffer[]> = fc
  .tuple(stream, fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 12 }))
  .map(([bytes, cuts]) => {
    const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
    return places.slice(1).map((end, index) => Buffer.from(bytes.slice(places[index], end)));
  });

const startsWithHash = (head: Buffer) => head[0] === 0x23;

/** Judges each line once it is complete. */
function expected(chunks: readonly Buffer[], maxLineBytes: number, headBytes: number): Split {
  const lines = Buffer.concat([...chunks])
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  const wanted = lines.filter((line) => !(line.length > headBytes && line.startsWith('#')));
  const kept = wanted.filter((line) => line.length <= maxLineBytes);
  return { lines: kept, overlongLines: wanted.length - kept.length };
}

describe('LineSplitter', () => {
  it('returns the same lines for any chunks, without the empty ones', () => {
    fc.assert(
      fc.property(chunked, (chunks) => {
        expect(split({ maxLineBytes: 1_000 }, chunks)).toEqual(expected(chunks, 1_000, 1_000));
      }),
    );
  });

  it('drops the same overlong and the same unwanted lines for any chunks', () => {
    fc.assert(
      fc.property(
        chunked,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 12 }),
        (chunks, headBytes, more) => {
          const maxLineBytes = headBytes + more;
          const options = { maxLineBytes, headBytes, isUnwanted: startsWithHash };
          expect(split(options, chunks)).toEqual(expected(chunks, maxLineBytes, headBytes));
        },
      ),
    );
  });

  it('asks once for each line that outgrows the head, and passes only the head', () => {
    const heads: string[] = [];
    const isUnwanted = (head: Buffer) => heads.push(head.toString()) === 0;
    const chunks = ['sho', 'rt\nabcd', 'efgh', 'ijkl\nmn', 'opqrs'].map((chunk) => Buffer.from(chunk));
    const { lines } = split({ maxLineBytes: 100, headBytes: 6, isUnwanted }, chunks);
    expect(lines).toEqual(['short', 'abcdefghijkl', 'mnopqrs']);
    expect(heads).toEqual(['abcdef', 'mnopqr']);
  });

  it.each([
    ['unwanted', { maxLineBytes: 500_000_000, isUnwanted: () => true }, 0],
    ['overlong', { maxLineBytes: 1_000_000 }, 1],
  ])('retains nothing of 200 MB of an %s line', (_, options, overlongLines) => {
    const splitter = new LineSplitter(options);
    const chunk = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let written = 0; written < 200_000_000; written += chunk.length) {
      expect(splitter.push(chunk)).toEqual([]);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000);
    expect(splitter.push(Buffer.from('\nnext\n')).map(String)).toEqual(['next']);
    expect(splitter.overlongLines).toBe(overlongLines);
  });

  it('assembles a long line from single bytes', () => {
    const line = Buffer.from('0123456789'.repeat(5_000));
    const chunks = [...line, 0x0a].map((byte) => Buffer.of(byte));
    expect(split({ maxLineBytes: line.length }, chunks)).toEqual({ lines: [line.toString()], overlongLines: 0 });
  });

  it('returns lines that later chunks do not change', () => {
    const splitter = new LineSplitter({ maxLineBytes: 100 });
    splitter.push(Buffer.from('fir'));
    const [first] = splitter.push(Buffer.from('st\nsec'));
    splitter.push(Buffer.from('ond\nthird\n'));
    expect(first?.toString()).toBe('first');
  });
});
