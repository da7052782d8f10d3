import { Buffer } from 'node:buffer';

/** A red pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

type Side = { readonly width: number; readonly height: number };

const be16 = (value: number): readonly number[] => [(value >>> 8) & 255, value & 255];
const le16 = (value: number): readonly number[] => [value & 255, (value >>> 8) & 255];
const be32 = (value: number): readonly number[] => [...be16(value >>> 16), ...be16(value & 0xffff)];
const le24 = (value: number): readonly number[] => [...le16(value & 0xffff), (value >>> 16) & 255];
const ascii = (text: string): readonly number[] => [...text].map((character) => character.charCodeAt(0));

/** The beginnings of images of this size, by how they are coded. */
export const headers: Readonly<Record<string, (side: Side) => readonly number[]>> = {
  png: ({ width, height }) => [
    0x89,
    ...ascii('PNG\r\n\x1a\n'),
    ...be32(13),
    ...ascii('IHDR'),
    ...be32(width),
    ...be32(height),
  ],
  gif: ({ width, height }) => [...ascii('GIF89a'), ...le16(width), ...le16(height)],
  jpeg: ({ width, height }) => [
    0xff,
    0xd8,
    0xff,
    0xe0,
    ...be16(4),
    0,
    0,
    0xff,
    0xff,
    0xc2,
    ...be16(11),
    8,
    ...be16(height),
    ...be16(width),
  ],
  'lossy webp': ({ width, height }) => webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height)]),
  'lossless webp': ({ width, height }) => {
    const bits = BigInt(width - 1) | (BigInt(height - 1) << 14n);
    return webp('VP8L', [0x2f, ...[0n, 8n, 16n, 24n].map((shift) => Number((bits >> shift) & 255n))]);
  },
  'extended webp': ({ width, height }) => webp('VP8X', [0, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]),
};

function webp(chunk: string, data: readonly number[]): readonly number[] {
  return [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP'), ...ascii(chunk), 0, 0, 0, 0, ...data];
}

/** Base64 of bytes that begin so, and of so many in all. */
export function base64Of(bytes: readonly number[], length: number = bytes.length): string {
  const whole = Buffer.alloc(length);
  whole.set(bytes);
  return whole.toString('base64');
}
