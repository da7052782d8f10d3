import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Data, type JsonUpload, JsonUploads } from './json-upload.ts';

function sent({ body }: JsonUpload): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat([...body()]);
}

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 7) % 256);

const jsonUpload = (value: unknown): JsonUpload => new JsonUploads().write(value);

describe('JsonUploads', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 500_000])('sends %d bytes in base64 at their place', (length) => {
    const bytes = bytesOf(length);
    const value = { parts: [{ data: new Base64Data(bytes) }, { text: 'Wh\u00ff?' }], last: new Base64Data(bytesOf(5)) };
    const upload = jsonUpload(value);
    const whole = sent(upload);
    expect(JSON.parse(whole.toString())).toEqual({
      parts: [{ data: Buffer.from(bytes).toString('base64') }, { text: 'Wh\u00ff?' }],
      last: Buffer.from(bytesOf(5)).toString('base64'),
    });
    expect(upload.sizeBytes).toBe(whole.length);
  });

  it('sends a part of a larger memory alone', () => {
    const memory = bytesOf(100);
    const upload = jsonUpload([new Base64Data(memory.subarray(10, 20))]);
    expect(sent(upload).toString()).toBe(JSON.stringify([Buffer.from(memory.slice(10, 20)).toString('base64')]));
  });

  it('is the plain JSON of a value without such data', () => {
    const value = { text: 'Wh\u00ff?', nested: [null, 1, { a: true }] };
    const upload = jsonUpload(value);
    expect(sent(upload).toString()).toBe(JSON.stringify(value));
    expect(upload.sizeBytes).toBe(Buffer.byteLength(JSON.stringify(value)));
  });

  it('makes a piece when it is asked for, and not all of them at once', () => {
    const { body } = jsonUpload([new Base64Data(bytesOf(1_000_000))]);
    const sizes = Buffer.isBuffer(body) ? [] : [...body()].map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes)).toBe(262_144);
  });

  it('sends any long texts as the plain JSON of the value', () => {
    const hostile = fc.constantFrom('"', '\\', '\0', '\n', '\u2028', '\ud83e', '\udd8a', '\u{1f98a}', '\u6f22', 'a');
    const beginnings = fc.array(hostile, { maxLength: 20 }).map((all) => all.join(''));
    fc.assert(
      fc.property(beginnings, fc.array(hostile, { minLength: 1, maxLength: 9 }), (start, unit) => {
        const long = `${start}${unit.join('').repeat(70_000 / unit.length)}${start}`;
        const value = {
          before: [{ text: long }, { text: start }],
          [start]: null,
          parts: [{ text: long }, 1, `${long}${start}`],
        };
        const upload = jsonUpload(value);
        const whole = sent(upload);
        const isSame = whole.equals(Buffer.from(JSON.stringify(value)));
        expect([isSame, upload.sizeBytes]).toEqual([true, whole.length]);
      }),
      { numRuns: 30 },
    );
  });

  it('does not write a long text again that the upload before had, and goes by nothing but the text', () => {
    const uploads = new JsonUploads();
    const piecesOf = (value: unknown): readonly Buffer[] => {
      const { body } = uploads.write(value);
      return Buffer.isBuffer(body) ? [] : [...body()];
    };
    const [first, second] = ['a', 'b'].map((letter) => letter.repeat(100_000));
    const counted = piecesOf({ counted: { text: first } });
    // A short message in between must not evict a long one.
    piecesOf({ text: 'Why?' });
    const again = piecesOf({ text: first, temperature: 1 });
    expect([counted[1] === again[1], counted[2] === again[2]]).toEqual([true, true]);
    expect(Buffer.concat(piecesOf({ text: second })).toString()).toBe(JSON.stringify({ text: second }));
    expect(piecesOf({ text: first })[1] === counted[1], 'held after the upload that follows').toBe(false);
  });
});
