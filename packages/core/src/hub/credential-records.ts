import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import { isNumber, isText, listOf, nullable, objectOf, parseShape } from '../records/shape.ts';
import type { Sha256 } from './lent-name.ts';
import type {
  ClientRegistration,
  CredentialPlace,
  CredentialSave,
  CredentialToSave,
  IssuedTokens,
  KeptCredential,
  ServerCredential,
} from './server-credential.ts';

export type CredentialRecordsOptions = {
  readonly records: RecordStore;
  readonly sha256: Sha256;
};

const kind: RecordKind = {
  name: 'credentials',
  maxBytesOfRecord: 512_000,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 64_000_000,
  maxBytes: 1_024_000_000,
  maxAgeMs: null,
  whenFull: 'remove-oldest',
};

const isCredential = objectOf<ServerCredential>({
  server: isText,
  resource: nullable(isText),
  issuer: isText,
  tokenUrl: isText,
  tokenMethods: listOf(isText),
  revocationUrl: nullable(isText),
  client: objectOf<ClientRegistration>({
    id: isText,
    secret: nullable(isText),
    method: nullable(isText),
    secretExpiresAtMs: nullable(isNumber),
    redirectUri: isText,
    scopes: listOf(isText),
  }),
  serial: isText,
  tokens: objectOf<IssuedTokens>({
    access: isText,
    refresh: nullable(isText),
    expiresAtMs: nullable(isNumber),
    scopes: listOf(isText),
  }),
  refusal: nullable(isText),
  wantedScopes: listOf(isText),
  renewal: nullable(objectOf<NonNullable<ServerCredential['renewal']>>({ by: isText, untilMs: isNumber })),
  updatedAtMs: isNumber,
});

const never = new AbortController().signal;

export type CredentialStore = Pick<CredentialRecords, 'prepare' | 'find' | 'save' | 'remove' | 'changed'>;

/**
 * Credentials as records of any `RecordStore`, by owner, server and issuer. The key of a record consists of digests.
 */
export class CredentialRecords {
  readonly #options: CredentialRecordsOptions;

  constructor(options: CredentialRecordsOptions) {
    this.#options = options;
  }

  /** Tries whether a credential could be kept now, before a user is asked to log in. Resolves to null or to why not, for a user. */
  async prepare(): Promise<string | null> {
    const { records } = this.#options;
    const probe = { kind, owner: '', key: 'probe' };
    const put = await records.put({ ...probe, expectedVersion: 0, stampMs: 0, summary: '', text: '' }, never);
    await records.delete(probe, never);
    return !put.saved && put.reason === 'unavailable' ? `No credential can be kept: ${put.detail}.` : null;
  }

  /**
   * The newest for a server, by `updatedAtMs`. Null also for a record that cannot be read. Rejects, with words for a user, if it cannot be
   * known whether there is one, and with the reason of an abort.
   */
  async find({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<KeptCredential | null> {
    for (const key of await this.#keysOf({ owner, server }, signal)) {
      const found = await this.#read(owner, key, signal);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }

  /** Saves if `expectedVersion` is the newest for that issuer and server; 0 if there is none. Rejects for an abort alone, having saved nothing. */
  async save(
    owner: string,
    { credential, expectedVersion }: CredentialToSave,
    signal: AbortSignal,
  ): Promise<CredentialSave> {
    const text = JSON.stringify(credential);
    const record = { summary: '', text, stampMs: credential.updatedAtMs, expectedVersion };
    return await this.#options.records.put({ kind, owner, key: this.#keyOf(credential), ...record }, signal);
  }

  /** Removes all credentials for a server. Resolves to null, or to why not, for a user. Rejects for an abort alone. */
  async remove(place: CredentialPlace, signal: AbortSignal): Promise<string | null> {
    const problem = 'The credential could not be taken away';
    try {
      for (const key of await this.#keysOf(place, signal)) {
        const removed = await this.#options.records.delete({ kind, owner: place.owner, key }, signal);
        if (!removed.deleted && removed.reason === 'unavailable') {
          return `${problem}: ${removed.detail}.`;
        }
      }
      return null;
    } catch (error) {
      signal.throwIfAborted();
      return `${problem}. ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  /** Resolves once another version of this credential is the newest. Rejects with the reason of an abort. */
  async changed(owner: string, { credential, version }: KeptCredential, signal: AbortSignal): Promise<void> {
    await this.#options.records.watch({ kind, owner, key: this.#keyOf(credential) }, version, signal);
  }

  /** Of all issuers, the one that was changed last first. */
  async #keysOf({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<readonly string[]> {
    const { records, sha256 } = this.#options;
    const listed = await records.list({ kind, owner }, kind.maxRecordsOfOwner, signal);
    const start = `${digestOf(server, sha256)}-`;
    return listed.map(({ key }) => key).filter((key) => key.startsWith(start));
  }

  async #read(owner: string, key: string, signal: AbortSignal): Promise<KeptCredential | null> {
    const found = await this.#options.records.get({ kind, owner, key }, signal);
    const credential = found === null || found === 'damaged' ? null : parseShape(isCredential, found.text);
    return found !== null && found !== 'damaged' && credential !== null && this.#keyOf(credential) === key
      ? { credential, version: found.version }
      : null;
  }

  #keyOf({ server, issuer }: Pick<ServerCredential, 'server' | 'issuer'>): string {
    const { sha256 } = this.#options;
    return `${digestOf(server, sha256)}-${digestOf(issuer, sha256)}`;
  }
}

function digestOf(text: string, sha256: Sha256): string {
  return sha256(JSON.stringify(text)).slice(0, 32);
}
