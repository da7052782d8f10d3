import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A text that can be read with the key of a name alone, and for the place that it was sealed for. */
export type SealedText = {
  readonly key: string;
  readonly nonce: string;
  readonly text: string;
  readonly tag: string;
};

export type NamedKey = { readonly name: string; readonly bytes: Buffer };

/** Whose it is, and where it lies. What is sealed for one place cannot be opened at another. */
export type SealPlace = { readonly owner: string; readonly record: string };

export const keyBytes = 32;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Seals a text with AES-256-GCM, under a nonce of its own. */
export function sealText(text: string, { name, bytes }: NamedKey, place: SealPlace): SealedText {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(name, place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    key: name,
    nonce: nonce.toString('base64url'),
    text: sealed.toString('base64url'),
    tag: cipher.getAuthTag().toString('base64url'),
  };
}

/** The text as it was sealed; null where it is another one, was sealed for another place, or with another key. */
export function openSealedText(sealed: SealedText, key: NamedKey, place: SealPlace): string | null {
  const [nonce, text, tag] = [sealed.nonce, sealed.text, sealed.tag].map((part) => Buffer.from(part, 'base64url'));
  // A tag that is cut would be easier to guess.
  if (nonce?.byteLength !== nonceBytes || text === undefined || tag?.byteLength !== tagBytes) {
    return null;
  }
  try {
    const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundTo(sealed.key, place));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function boundTo(key: string, { owner, record }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify(['gemini-mcp-server', 'credential', 1, key, owner, record]));
}
