import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import type { Keychain } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { PrivateRecords } from '../state/private-records.ts';
import { parseRecord } from '../state/record-format.ts';
import { keyBytes, type NamedKey } from './seal-credential.ts';

export type CredentialKeysOptions = {
  /** The state directory. */
  readonly directory: string;
  readonly clock: Clock;
  readonly keychain: Keychain;
};

export type FoundKey =
  | { readonly found: true; readonly key: NamedKey }
  /** Sentences for a user. `isGone`: the keychain can be asked, and does not have it. */
  | { readonly found: false; readonly reason: string; readonly isGone: boolean };

type KeyName = { readonly owner: string; readonly name: string };

const nameSchema: z.ZodType<KeyName> = z.strictObject({ owner: z.string(), name: z.uuid() });

/** Of no owner: one key serves all. */
const owner = '';
const record = 'current';

/** A keychain that does not answer holds up this process when it is asked. It can be unlocked at any time, too. */
const retryMs = 5_000;

const signal = new AbortController().signal;

/**
 * The keys of one state directory. They lie in the keychain, each under a random name, and a file says which is in use: the process that writes that
 * file first has made the key for all processes, so that nothing is sealed with a key that another process has replaced.
 */
export class CredentialKeys {
  readonly #keychain: Keychain;
  readonly #names: PrivateRecords<KeyName, object>;
  readonly #keys = new Map<string, NamedKey>();
  readonly #clock: Clock;
  #current: Promise<FoundKey> | undefined;
  #refused: { readonly reason: string; readonly atMs: number } | null = null;

  constructor({ directory, clock, keychain }: CredentialKeysOptions) {
    this.#keychain = keychain;
    this.#clock = clock;
    this.#names = new PrivateRecords<KeyName, object>({
      stateDirectory: directory,
      kind: 'credential-keys',
      clock,
      isKey: (key) => key === record,
      parse: (value) => parseRecord(nameSchema, value, () => true),
      summarize: () => ({}),
      parseSummary: () => null,
      maxBytes: 1_000,
      bounds: { maxRecordsOfOwner: 1, maxBytesOfOwner: 1_000, maxBytes: 1_000 },
      maxAgeMs: null,
      onQuarantine: () => undefined,
    });
  }

  /** The key of a name, if this process has used it before. */
  known(name: string): NamedKey | null {
    return this.#keys.get(name) ?? null;
  }

  /** The key that new credentials are sealed with, made where there is none. Never rejects. */
  async current(): Promise<FoundKey> {
    this.#current ??= this.#settle().catch((error: unknown) => unknown(messageOf(error)));
    const found = await this.#current;
    // A keychain can be unlocked, or started, at any time.
    this.#current = found.found ? this.#current : undefined;
    return found;
  }

  /** A key that something was sealed with. Never rejects. */
  async find(name: string): Promise<FoundKey> {
    const known = this.#keys.get(name);
    if (known !== undefined) {
      return { found: true, key: known };
    }
    const refused = this.#refused;
    if (refused !== null && Math.abs(this.#clock.now() - refused.atMs) < retryMs) {
      return unknown(refused.reason);
    }
    const read = await this.#keychain.read(name);
    this.#refused = read.type === 'unavailable' ? { reason: read.reason, atMs: this.#clock.now() } : null;
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
    for (;;) {
      const named = await this.#names.readIfAble(owner, record, signal);
      const found = named === null ? gone : await this.find(named.value.name);
      if (found.found || !found.isGone) {
        return found;
      }
      const made = await this.#make(named?.version ?? 0);
      if (made !== null) {
        return made;
      }
    }
  }

  /** Null where another process has made one. What was written for nothing is taken away again. */
  async #make(expectedVersion: number): Promise<FoundKey | null> {
    const name = randomUUID();
    // Where it cannot be asked at all, this says so without a second question.
    const asked = await this.find(name);
    if (!asked.found && !asked.isGone) {
      return asked;
    }
    const secret = randomBytes(keyBytes).toString('base64url');
    const problem = (await this.#keychain.write(name, secret)) ?? (await this.#whyNotKept(name, secret));
    if (problem !== null) {
      return unknown(problem);
    }
    const value = { owner, name };
    const saved = await this.#names.write({ owner, key: record, expectedVersion, stampMs: 0, value }, signal);
    if (saved.saved) {
      return this.#take(name, secret);
    }
    await this.#keychain.remove(name);
    return saved.reason === 'conflict' ? null : unknown(`The name of the key cannot be kept: ${saved.detail}.`);
  }

  async #whyNotKept(name: string, secret: string): Promise<string | null> {
    const read = await this.#keychain.read(name);
    const isKept = read.type === 'found' && read.secret === secret;
    return isKept ? null : 'The keychain does not give back what it was given to keep.';
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
  reason: 'The keychain does not have that key any more.',
  isGone: true,
};

function unknown(reason: string): FoundKey {
  return { found: false, reason, isGone: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
