import { isNumber, isText, listOf, nullable, objectOf, parseShape } from '../json/shape.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type { Sha256 } from '../ports/sha256.ts';
import type { Sealer } from '../ports/upstreams/sealer.ts';
import type {
  ClientRegistration,
  CredentialKey,
  CredentialSave,
  CredentialToSave,
  IssuedTokens,
  ServerCredential,
  StoredCredential,
} from '../ports/upstreams/server-credential.ts';

export type CredentialRecordsOptions = {
  readonly records: RecordStore;
  readonly sha256: Sha256;
  readonly sealer: Sealer;
  /** Whether credentials are sealed when they are saved. If so, those in plain text are sealed when the store is first used. */
  readonly isSealed: boolean;
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

type Found = StoredCredential & { readonly isSealed: boolean };

/**
 * Keeps credentials as records of any `RecordStore`, by owner, server and issuer. The key of a record consists of digests, and a sealed record
 * contains nothing else in plain text.
 */
export class CredentialRecords {
  readonly #options: CredentialRecordsOptions;
  #sealingAll: Promise<void> | undefined;

  constructor(options: CredentialRecordsOptions) {
    this.#options = options;
  }

  /** Checks whether a credential could be kept now, before a user is asked to log in. Resolves to null or to the reason, for a user. */
  async prepare(): Promise<string | null> {
    const { records, sealer, isSealed } = this.#options;
    const probe = { kind, owner: '', key: 'probe' };
    const put = await records.put({ ...probe, expectedVersion: 0, stampMs: 0, summary: '', text: '' }, never);
    await records.delete(probe, never);
    if (!put.saved && put.reason === 'unavailable') {
      return `No credential can be kept: ${put.detail}.`;
    }
    const problem = isSealed ? await sealer.prepare() : null;
    if (problem !== null) {
      return `No credential can be sealed. ${problem}`;
    }
    await (isSealed ? this.#sealAll() : undefined);
    return null;
  }

  /**
   * The newest for a server, by `updatedAtMs`; null also for a record that cannot be read. Rejects, with a text for a user, if the existence of a
   * credential cannot be determined, and with the reason of an abort.
   */
  async find({ owner, server }: CredentialKey, signal: AbortSignal): Promise<StoredCredential | null> {
    await (this.#options.isSealed ? this.#sealAll() : undefined);
    for (const key of await this.#keysOf({ owner, server }, signal)) {
      const found = await this.#read(owner, key, signal);
      if (found !== null && found.isSealed < this.#options.isSealed) {
        return await this.#sealed(owner, found, signal);
      }
      if (found !== null) {
        return { credential: found.credential, version: found.version };
      }
    }
    return null;
  }

  /** Saves if `expectedVersion` is the newest for that issuer and server; 0 for the first. Rejects only for an abort, having saved nothing. */
  async save(
    owner: string,
    { credential, expectedVersion }: CredentialToSave,
    signal: AbortSignal,
  ): Promise<CredentialSave> {
    const { records, sealer, isSealed } = this.#options;
    await (isSealed ? this.#sealAll() : undefined);
    const key = this.#keyOf(credential);
    const plain = JSON.stringify(credential);
    const sealed = isSealed ? await sealer.seal(plain, placeOf(owner, key)) : null;
    if (sealed?.sealed === false) {
      return { saved: false, reason: 'unavailable', detail: sealed.problem.replace(/\.$/, '') };
    }
    const summary = sealed === null ? 'plain' : 'sealed';
    const record = { summary, text: sealed?.text ?? plain, stampMs: credential.updatedAtMs, expectedVersion };
    return await records.put({ kind, owner, key, ...record }, signal);
  }

  /** Removes all credentials for a server. Resolves to null, or to the reason for a failure, for a user. Rejects only for an abort. */
  async remove(place: CredentialKey, signal: AbortSignal): Promise<string | null> {
    const problem = 'The credential could not be removed';
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
  async changed(owner: string, { credential, version }: StoredCredential, signal: AbortSignal): Promise<void> {
    await this.#options.records.watch({ kind, owner, key: this.#keyOf(credential) }, version, signal);
  }

  /** Of all issuers, the most recently changed first. */
  async #keysOf({ owner, server }: CredentialKey, signal: AbortSignal): Promise<readonly string[]> {
    const { records, sha256 } = this.#options;
    const listed = await records.list({ kind, owner }, kind.maxRecordsOfOwner, signal);
    const start = `${digestOf(server, sha256)}-`;
    return listed.map(({ key }) => key).filter((key) => key.startsWith(start));
  }

  /** Rejects, with a text for a user, if the key of a sealed one is unavailable. */
  async #read(owner: string, key: string, signal: AbortSignal): Promise<Found | null> {
    const found = await this.#options.records.get({ kind, owner, key }, signal);
    if (found === null || found === 'damaged') {
      return null;
    }
    const isSealed = found.summary === 'sealed';
    const text = isSealed ? await this.#open(found.text, placeOf(owner, key)) : found.text;
    signal.throwIfAborted();
    const credential = text === null ? null : parseShape(isCredential, text);
    return credential !== null && this.#keyOf(credential) === key
      ? { credential, version: found.version, isSealed }
      : null;
  }

  async #open(sealed: string, place: string): Promise<string | null> {
    const opened = await this.#options.sealer.open(sealed, place);
    if (opened.type === 'no-key') {
      throw new Error(`The login is sealed with a key of the keychain. ${opened.problem}`);
    }
    return opened.type === 'opened' ? opened.text : null;
  }

  /** Seals a credential that was saved unsealed. Rejects, with a text for a user, if sealing still fails. */
  async #sealed(owner: string, { credential, version }: Found, signal: AbortSignal): Promise<StoredCredential | null> {
    const saved = await this.save(owner, { credential, expectedVersion: version }, signal);
    if (saved.saved) {
      return { credential, version: saved.version };
    }
    if (saved.reason === 'unavailable') {
      throw new Error(`The login is stored in plain text, and cannot be sealed: ${saved.detail}.`);
    }
    return await this.find({ owner, server: credential.server }, signal);
  }

  /** Seals the plain credentials of all owners and servers, once. `find` reports those that cannot be sealed. */
  async #sealAll(): Promise<void> {
    this.#sealingAll ??= this.#sealEach().catch(() => undefined);
    await this.#sealingAll;
  }

  async #sealEach(): Promise<void> {
    const { records } = this.#options;
    for (const owner of await records.owners(kind, never)) {
      const listed = await records.list({ kind, owner }, kind.maxRecordsOfOwner, never);
      for (const { key } of listed.filter(({ summary }) => summary === 'plain')) {
        await this.#sealOne(owner, key);
      }
    }
  }

  async #sealOne(owner: string, key: string): Promise<void> {
    const found = await this.#read(owner, key, never);
    if (found === null) {
      return;
    }
    const { credential, version: expectedVersion } = found;
    const sealed = await this.#options.sealer.seal(JSON.stringify(credential), placeOf(owner, key));
    if (sealed.sealed) {
      const record = { summary: 'sealed', text: sealed.text, stampMs: credential.updatedAtMs, expectedVersion };
      await this.#options.records.put({ kind, owner, key, ...record }, never);
    }
  }

  #keyOf({ server, issuer }: Pick<ServerCredential, 'server' | 'issuer'>): string {
    const { sha256 } = this.#options;
    return `${digestOf(server, sha256)}-${digestOf(issuer, sha256)}`;
  }
}

function placeOf(owner: string, key: string): string {
  return JSON.stringify([kind.name, owner, key]);
}

function digestOf(text: string, sha256: Sha256): string {
  return sha256(JSON.stringify(text)).slice(0, 32);
}
