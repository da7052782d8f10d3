import { Buffer } from 'node:buffer';

/** What Base64 decodes to. Null where it is none: Node alone would read past every character that it does not know. */
export function readBase64(text: string): Buffer | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : null;
}
