import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TailBuffer } from './tail-buffer.ts';

describe('TailBuffer', () => {
  it('keeps the end of the stream, whatever the chunks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 100 })),
        (maxBytes, chunks) => {
          const tail = new TailBuffer(maxBytes);
          for (const chunk of chunks) {
            tail.push(Buffer.from(chunk));
          }
          const whole = chunks.join('');
          expect(tail.text()).toBe(whole.slice(-maxBytes));
          expect(tail.totalBytes).toBe(whole.length);
          expect(tail.isCut).toBe(whole.length > maxBytes);
        },
      ),
    );
  });

  it('assembles characters that arrived in pieces', () => {
    const tail = new TailBuffer(100);
    for (const byte of Buffer.from('é日😀')) {
      tail.push(Buffer.of(byte));
    }
    expect(tail.text()).toBe('é日😀');
  });

  it('replaces a character that was cut in two', () => {
    const tail = new TailBuffer(4);
    tail.push(Buffer.from('日ab'));
    tail.push(Buffer.from('c'));
    expect(tail.text()).toBe('\ufffdabc');
  });
});
