// @ts-check
import { createCipheriv, createHash } from 'node:crypto';

/** @import { OutputStream, SecretForm } from '../../src/fake-cli/scenario.ts' */

const FLOOD_CHUNK_BYTES = 262_144;

/** @type {(to: OutputStream, data: string | Uint8Array) => Promise<void>} */
export function write(to, data) {
  return new Promise((resolve) => {
    process[to].write(data, () => resolve());
  });
}

/** @param {object} event */
export function emit(event) {
  const { type, ...fields } = /** @type {{ type?: unknown }} */ (event);
  return write('stdout', `${JSON.stringify({ type, timestamp: new Date().toISOString(), ...fields })}\n`);
}

/** @param {{ to: OutputStream, bytes: number, pattern: string }} step */
export async function flood({ to, bytes, pattern }) {
  const unit = Buffer.from(pattern);
  const chunk = Buffer.alloc(Math.ceil(FLOOD_CHUNK_BYTES / unit.length) * unit.length, unit);
  for (let left = bytes; left > 0; left -= chunk.length) {
    await write(to, left < chunk.length ? chunk.subarray(0, left) : chunk);
  }
}

/**
 * The key stream of a cipher: looks random, and is the same in each run.
 *
 * @type {(bytes: number, seed: string) => Buffer}
 */
export function scrambledBytes(bytes, seed) {
  const key = createHash('sha256').update(seed).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

/** @type {Record<Exclude<SecretForm, 'split'>, (key: string) => string>} */
export const secretForms = {
  plain: (key) => key,
  base64: (key) => Buffer.from(key).toString('base64'),
  url: encodeURIComponent,
  json: (key) => JSON.stringify(JSON.stringify({ apiKey: key })),
};
