import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import type { Clock, RecordKind, RecordStore } from '@gemini-mcp/core';
import type { Keychain, Sealed, Sealer, Unsealed } from '@gemini-mcp/core/internal';
import * as z from 'zod';

export type KeychainSealerOptions = {
  /** Holds the name of the current key, for all processes that share the store. */
  readonly records: RecordStore;
  readonly clock: Clock;
  /** Used only to seal or open something. */
  readonly keychain: Keychain;
};

type NamedKey = { readonly name: string; readonly bytes: Buffer };

type FoundKey =
  | { readonly found: true; readonly key: NamedKey }
  /** Sentences for a user. `isGone`: the keychain responds, but does not have the key. */
  | { readonly found: false; readonly reason: string; readonly isGone: boolean };

/** Text sealed with AES-256-GCM, each part in base64url. */
const sealedSchema = z.strictObject({ key: z.string(), nonce: z.string(), text: z.string(), tag: z.string() });

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

const kind: RecordKind = {
  name: 'credential-keys',
  maxBytesOfRecord: 1_000,
  maxRecordsOfOwner: 1,
  maxBytesOfOwner: 1_000_000,
  maxBytes: 1_000_000,
  maxAgeMs: null,
  whenFull: 'refuse',
};

/** One key serves all owners. */
const place = { kind, owner: '', key: 'current' };

/** A keychain that does not respond blocks this process for a while, and it can be unlocked at any time. */
const retryMs = 5_000;

const never = new AbortController().signal;

/**
 * Seals with a key from the keychain. Each key has a random name, and a record holds the name of the current one: the process that writes
 * it first has created the key for all processes, so nothing is sealed with a key that another process has replaced.
 */
export class KeychainSealer implements Sealer {
  readonly #options: KeychainSealerOptions;
  readonly #keys = new Map<string, NamedKey>();
  #current: Promise<FoundKey> | undefined;
  #refused: { readonly reason: string; readonly atMs: number } | null = null;

  constructor(options: KeychainSealerOptions) {
    this.#options = options;
  }

  async prepare(): Promise<string | null> {
    const found = await this.#currentKey();
    return found.found ? null : found.reason;
  }

  async seal(text: string, sealedFor: string): Promise<Sealed> {
    const found = await this.#currentKey();
    if (!found.found) {
      return { sealed: false, problem: found.reason };
    }
    const { name, bytes } = found.key;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes });
    cipher.setAAD(boundTo(name, sealedFor));
    const parts = {
      nonce,
      text: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]),
      tag: cipher.getAuthTag(),
    };
    const encoded = Object.entries(parts).map(([part, value]) => [part, value.toString('base64url')]);
    return { sealed: true, text: JSON.stringify({ key: name, ...Object.fromEntries(encoded) }) };
  }

  async open(sealed: string, sealedFor: string): Promise<Unsealed> {
    const { data } = sealedSchema.safeParse(parseJson(sealed));
    if (data === undefined) {
      return { type: 'forged' };
    }
    const found = await this.#find(data.key);
    if (!found.found) {
      return { type: 'no-key', problem: `${found.reason}${found.isGone ? ' Log in to this server again.' : ''}` };
    }
    const text = decipher(data, found.key, sealedFor);
    return text === null ? { type: 'forged' } : { type: 'opened', text };
  }

  /** The key for sealing from now on, created if missing. Never rejects. */
  async #currentKey(): Promise<FoundKey> {
    this.#current ??= this.#settle().catch((error: unknown) => unknown(messageOf(error)));
    const found = await this.#current;
    this.#current = found.found ? this.#current : undefined;
    return found;
  }

  /** Finds a key by name. Never rejects. */
  async #find(name: string): Promise<FoundKey> {
    const known = this.#keys.get(name);
    if (known !== undefined) {
      return { found: true, key: known };
    }
    const { clock, keychain } = this.#options;
    const refused = this.#refused;
    if (refused !== null && Math.abs(clock.now() - refused.atMs) < retryMs) {
      return unknown(refused.reason);
    }
    const read = await keychain.read(name);
    this.#refused = read.type === 'unavailable' ? { reason: read.reason, atMs: clock.now() } : null;
    switch (read.type) {
      case 'found':
        return this.#take(name, read.secret);
      case 'none':
        return gone;
      case 'unavailable':
        return unknown(read.reason);
    }
  }

  async #settle(): Promise<FoundKey> {
    const record = await this.#options.records.get(place, never);
    const named = record === 'damaged' ? null : record;
    const found = named === null ? gone : await this.#find(named.text);
    if (found.found || !found.isGone) {
      return found;
    }
    return (await this.#make(named?.version ?? 0)) ?? (await this.#settle());
  }

  /** Null if another process has created one first: then the superfluous key is removed again. */
  async #make(expectedVersion: number): Promise<FoundKey | null> {
    const { keychain, records } = this.#options;
    const name = randomUUID();
    // A keychain that is unavailable fails here, without a second question.
    const asked = await this.#find(name);
    if (!asked.found && !asked.isGone) {
      return asked;
    }
    const secret = randomBytes(keyBytes).toString('base64url');
    const problem = (await keychain.write(name, secret)) ?? (await this.#whyNotKept(name, secret));
    if (problem !== null) {
      return unknown(problem);
    }
    const saved = await records.put({ ...place, expectedVersion, stampMs: 0, summary: '', text: name }, never);
    if (saved.saved) {
      return this.#take(name, secret);
    }
    await keychain.remove(name);
    return saved.reason === 'conflict' ? null : unknown(`The name of the key cannot be stored: ${saved.detail}.`);
  }

  async #whyNotKept(name: string, secret: string): Promise<string | null> {
    const read = await this.#options.keychain.read(name);
    const isKept = read.type === 'found' && read.secret === secret;
    return isKept ? null : 'The keychain does not return the key that was stored in it.';
  }

  #take(name: string, secret: string): FoundKey {
    const bytes = Buffer.from(secret, 'base64url');
    if (bytes.byteLength !== keyBytes) {
      return gone;
    }
    const key = { name, bytes };
    this.#keys.set(name, key);
    return { found: true, key };
  }
}

const gone: FoundKey & { readonly found: false } = {
  found: false,
  reason: 'The keychain no longer has that key.',
  isGone: true,
};

/** Null if the text was changed, or sealed for another place or with another key. */
function decipher(sealed: z.infer<typeof sealedSchema>, key: NamedKey, sealedFor: string): string | null {
  const [nonce, text, tag] = [sealed.nonce, sealed.text, sealed.tag].map((part) => Buffer.from(part, 'base64url'));
  // A truncated tag would be easier to guess.
  if (nonce?.byteLength !== nonceBytes || text === undefined || tag?.byteLength !== tagBytes) {
    return null;
  }
  try {
    const opening = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
    opening.setAAD(boundTo(sealed.key, sealedFor));
    opening.setAuthTag(tag);
    return Buffer.concat([opening.update(text), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function boundTo(key: string, sealedFor: string): Buffer {
  return Buffer.from(JSON.stringify(['gemini-mcp-server', 2, key, sealedFor]));
}

function unknown(reason: string): FoundKey {
  return { found: false, reason, isGone: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
