import { InMemoryRecordStore } from '@gemini-mcp/core';
import {
  type CredentialKey,
  CredentialRecords,
  type CredentialSave,
  type CredentialStore,
  type CredentialToSave,
  type StoredCredential,
} from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';

const never = new AbortController().signal;

/** Keeps credentials for the length of a test, and can be made to fail. */
export class InMemoryCredentialStore implements CredentialStore {
  /** Why saving and removing fail, or null. */
  problem: string | null = null;
  /** Why reading fails, or null. */
  unreadable: string | null = null;
  readonly #store = new CredentialRecords({
    records: new InMemoryRecordStore(),
    sha256: digestOf,
    isSealed: false,
    sealer: {
      prepare: async () => 'nothing is sealed here',
      seal: async () => ({ sealed: false, problem: 'nothing is sealed here' }),
      open: async () => ({ type: 'forged' }),
    },
  });

  async prepare(): Promise<string | null> {
    return this.problem === null ? await this.#store.prepare() : `No credential can be kept: ${this.problem}.`;
  }

  async find(place: CredentialKey, signal: AbortSignal = never): Promise<StoredCredential | null> {
    if (this.unreadable !== null) {
      throw new Error(this.unreadable);
    }
    return await this.#store.find(place, signal);
  }

  async save(owner: string, credential: CredentialToSave, signal: AbortSignal = never): Promise<CredentialSave> {
    return this.problem === null
      ? await this.#store.save(owner, credential, signal)
      : { saved: false, reason: 'unavailable', detail: this.problem };
  }

  async remove(place: CredentialKey, signal: AbortSignal = never): Promise<string | null> {
    if (this.problem !== null) {
      return `The credential could not be removed: ${this.problem}.`;
    }
    this.unreadable = null;
    return await this.#store.remove(place, signal);
  }

  async changed(owner: string, kept: StoredCredential, signal: AbortSignal): Promise<void> {
    await this.#store.changed(owner, kept, signal);
  }
}
