import { describe, expect, it } from 'vitest';
import { Base64Data, type JsonUpload, jsonUpload } from './json-upload.ts';

function sent({ body }: JsonUpload): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat([...body()]);
}

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 7) % 256);

describe('jsonUpload', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 500_000])('sends %d bytes in base64 where they belong', (length) => {
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
});
