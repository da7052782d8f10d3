import { utf8Length } from '../text/utf8-length.ts';

/** SHA-256 of bytes, in hex: core has no other, and fakes must name contents as adapters do. */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(firstState);
  const padded = padMessage(bytes);
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    digestBlock(state, words, padded.subarray(start, start + 64));
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** UTF-8 of a text; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  const whole = text.replace(loneHalf, '\ufffd');
  const bytes = new Uint8Array(utf8Length(whole));
  let at = 0;
  for (let index = 0; index < whole.length; index += 1) {
    const point = whole.codePointAt(index) ?? 0;
    if (point < 0x80) {
      bytes[at] = point;
      at += 1;
    } else {
      const units = multibyte(point);
      bytes.set(units, at);
      at += units.length;
      index += units.length === 4 ? 1 : 0;
    }
  }
  return bytes;
}

/** The bytes of a character beyond ASCII. */
function multibyte(point: number): readonly number[] {
  const following = (shift: number): number => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x800) {
    return [0xc0 | (point >> 6), following(0)];
  }
  return point < 0x1_0000
    ? [0xe0 | (point >> 12), following(6), following(0)]
    : [0xf0 | (point >> 18), following(12), following(6), following(0)];
}

/** The text of UTF-8 bytes; null if they are invalid. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return null;
  }
}

const loneHalf = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const primes = Array.from({ length: 312 }, (_, index) => index).filter(
  (each) => each > 1 && !Array.from({ length: each }, (_, index) => index).some((by) => by > 1 && each % by === 0),
);
/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 0x1_0000_0000) | 0;
const firstState = primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const constants = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));

function padMessage(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const bits = bytes.length * 8;
  for (let index = 0; index < 6; index += 1) {
    padded[padded.length - 1 - index] = Math.floor(bits / 256 ** index) % 256;
  }
  return padded;
}

function digestBlock(state: Int32Array, words: Int32Array, block: Uint8Array): void {
  for (let index = 0; index < 64; index += 1) {
    words[index] = index < 16 ? readWord(block, index * 4) : mixWord(words, index);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + high + chosen + (constants[index] ?? 0) + (words[index] ?? 0)) | 0;
    const low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + low + majority) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + word;
  }
}

function readWord(block: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0, four = 0] = block.subarray(at, at + 4);
  return (one << 24) | (two << 16) | (three << 8) | four;
}

function mixWord(words: Int32Array, index: number): number {
  const early = words[index - 15] ?? 0;
  const late = words[index - 2] ?? 0;
  const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return ((words[index - 16] ?? 0) + low + (words[index - 7] ?? 0) + high) | 0;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
