import { createHash } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import type {
  CredentialPlace,
  CredentialSave,
  CredentialStore,
  CredentialToSave,
  KeptCredential,
  ServerCredential,
} from '@gemini-mcp/core/internal';
import { PrivateRecords } from '../state/private-records.ts';
import type { Quarantined } from '../state/quarantine.ts';
import { createTag, seemsAlive } from '../state/record-names.ts';
import {
  type CredentialSummary,
  parseCredential,
  parseCredentialSummary,
  type StoredCredential,
  summarizeCredential,
} from './credential-record.ts';

export type FileCredentialStoreOptions = {
  /** The state directory: for this user alone, and made when it is needed. Several processes may share it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Told what stood in the place of a credential and was moved out of the way, for the log. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

/**
 * Credentials as private files below `credentials/`, kept as sessions are (see `FileSessionStore`). The name of a record is made of digests of
 * the server and its issuer, its directory is named after a digest of the owner, and the record must say the same.
 */
export class FileCredentialStore implements CredentialStore {
  readonly renewer: string = createTag();
  readonly #records: PrivateRecords<StoredCredential, CredentialSummary>;

  constructor({ directory, clock, onQuarantine = () => undefined }: FileCredentialStoreOptions) {
    this.#records = new PrivateRecords<StoredCredential, CredentialSummary>({
      stateDirectory: directory,
      kind: 'credentials',
      clock,
      isKey: (key) => keyPattern.test(key),
      parse: (value, owner, key) => parseCredential(value, owner, (credential) => keyOf(credential) === key),
      summarize: summarizeCredential,
      parseSummary: (value, owner) => parseCredentialSummary(value, owner),
      maxBytes: 512_000,
      bounds: { maxRecordsOfOwner: 1_000, maxBytesOfOwner: 64_000_000, maxBytes: 1_024_000_000 },
      maxAgeMs: null,
      onQuarantine,
    });
  }

  runs(renewer: string): boolean {
    // Process 0 would be our own group, and is what no name at all is read as.
    return /^[1-9]/.test(renewer) && seemsAlive(renewer);
  }

  async find({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<KeptCredential | null> {
    for (const key of await this.#keys({ owner, server }, signal)) {
      const found = await this.#records.readIfAble(owner, key, signal);
      if (found !== null) {
        return { credential: found.value.credential, version: found.version };
      }
    }
    return null;
  }

  async save(
    owner: string,
    { credential, expectedVersion }: CredentialToSave,
    signal: AbortSignal,
  ): Promise<CredentialSave> {
    const stampMs = credential.updatedAtMs;
    const value = { owner, credential };
    return await this.#records.write({ owner, key: keyOf(credential), expectedVersion, stampMs, value }, signal);
  }

  async remove(place: CredentialPlace, signal: AbortSignal): Promise<string | null> {
    let keys: readonly string[];
    try {
      keys = await this.#keys(place, signal);
    } catch (error) {
      signal.throwIfAborted();
      return `The credential could not be taken away. ${error instanceof Error ? error.message : ''}`;
    }
    for (const key of keys) {
      const removed = await this.#records.remove(place.owner, key, signal);
      if (!removed.deleted && removed.reason === 'unavailable') {
        return `The credential could not be taken away: ${removed.detail}.`;
      }
    }
    return null;
  }

  /** Of all issuers, the last that was changed first. */
  async #keys({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<readonly string[]> {
    const entries = await this.#records.listIfAble(owner, signal);
    return entries.map(({ key }) => key).filter((key) => key.startsWith(`${digest(server)}-`));
  }
}

const keyPattern = /^[0-9a-f]{32}-[0-9a-f]{32}$/;

function keyOf({ server, issuer }: Pick<ServerCredential, 'server' | 'issuer'>): string {
  return `${digest(server)}-${digest(issuer)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 32);
}
