import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import type {
  CredentialPlace,
  CredentialSave,
  CredentialStore,
  CredentialToSave,
  KeptCredential,
  Keychain,
  ServerCredential,
} from '@gemini-mcp/core/internal';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { describeWriteError } from '../state/describe-write-error.ts';
import { PrivateRecords } from '../state/private-records.ts';
import type { FoundRecord } from '../state/private-records-options.ts';
import type { Quarantined } from '../state/quarantine.ts';
import { createTag, seemsAlive } from '../state/record-names.ts';
import { CredentialKeys } from './credential-keys.ts';
import { type CredentialSummary, parseCredential, type StoredCredential } from './credential-record.ts';
import { sealText } from './seal-credential.ts';

export type FileCredentialStoreOptions = {
  /** The state directory: for this user alone, and made when it is needed. Several processes may share it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Has the keys of what was sealed. It is not asked before something is to be sealed or opened. */
  readonly keychain: Keychain;
  /** Whether what is saved is sealed, and what lies there in plain text as well once there is a key. */
  readonly isSealed: boolean;
  /** Told what stood in the place of a credential and was moved out of the way, for the log. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

/**
 * Credentials as private files below `credentials/`, kept as sessions are (see `FileSessionStore`). The name of a record is made of digests of
 * the server and its issuer, its directory is named after a digest of the owner, and the record must say the same. A sealed record holds
 * nothing else that can be read.
 */
export class FileCredentialStore implements CredentialStore {
  readonly renewer: string = createTag();
  readonly #options: FileCredentialStoreOptions;
  readonly #keys: CredentialKeys;
  readonly #records: PrivateRecords<StoredCredential, CredentialSummary>;
  #sealingAll: Promise<void> | undefined;

  constructor(options: FileCredentialStoreOptions) {
    const { directory, clock, onQuarantine = () => undefined } = options;
    this.#options = options;
    this.#keys = new CredentialKeys(options);
    this.#records = new PrivateRecords<StoredCredential, CredentialSummary>({
      stateDirectory: directory,
      kind,
      clock,
      isKey: (key) => keyPattern.test(key),
      parse: (value, owner, record) => {
        const isOurs = (credential: ServerCredential): boolean => keyOf(credential) === record;
        return parseCredential(value, { owner, record, isOurs, keyOf: (name) => this.#keys.known(name) });
      },
      summarize: ({ owner }) => ({ owner }),
      parseSummary: () => null,
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

  async prepare(): Promise<string | null> {
    const { directory, isSealed } = this.#options;
    try {
      await ensurePrivateDirectory(directory);
      await ensurePrivateDirectory(join(directory, kind));
    } catch (error) {
      return `No credential can be kept: ${describeWriteError(error)}.`;
    }
    const found = isSealed ? await this.#keys.current() : null;
    if (found?.found === false) {
      return `No credential can be sealed. ${found.reason}`;
    }
    await (isSealed ? this.#sealAll() : undefined);
    return null;
  }

  async find({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<KeptCredential | null> {
    for (const record of await this.#keysOf({ owner, server }, signal)) {
      const found = await this.#open(owner, record, signal);
      if (found !== null) {
        return await this.#asWanted(owner, found, signal);
      }
    }
    return null;
  }

  async save(
    owner: string,
    { credential, expectedVersion }: CredentialToSave,
    signal: AbortSignal,
  ): Promise<CredentialSave> {
    if (!this.#options.isSealed) {
      return await this.#write({ owner, credential, expectedVersion, value: { owner, credential } }, signal);
    }
    await this.#sealAll();
    return await this.#seal({ owner, credential, expectedVersion }, signal);
  }

  async remove(place: CredentialPlace, signal: AbortSignal): Promise<string | null> {
    let records: readonly string[];
    try {
      records = await this.#keysOf(place, signal);
    } catch (error) {
      signal.throwIfAborted();
      return `The credential could not be taken away. ${error instanceof Error ? error.message : ''}`;
    }
    for (const record of records) {
      const removed = await this.#records.remove(place.owner, record, signal);
      if (!removed.deleted && removed.reason === 'unavailable') {
        return `The credential could not be taken away: ${removed.detail}.`;
      }
    }
    return null;
  }

  /** Of all issuers, the last that was changed first. */
  async #keysOf({ owner, server }: CredentialPlace, signal: AbortSignal): Promise<readonly string[]> {
    const entries = await this.#records.listIfAble(owner, signal);
    return entries.map(({ key }) => key).filter((key) => key.startsWith(`${digest(server)}-`));
  }

  /** Rejects, with words for a user, where the key of a sealed one cannot be had. */
  async #open(owner: string, record: string, signal: AbortSignal): Promise<Opened | null> {
    for (;;) {
      const read = await this.#records.readIfAble(owner, record, signal);
      if (read === null) {
        return null;
      }
      const { credential, sealed } = read.value;
      if (credential !== undefined) {
        return { credential, read };
      }
      await this.#fetchKey(sealed?.key ?? '', signal);
    }
  }

  async #fetchKey(name: string, signal: AbortSignal): Promise<void> {
    const key = await this.#keys.find(name);
    signal.throwIfAborted();
    if (!key.found) {
      const cure = key.isGone ? ' Log in to this server again.' : '';
      throw new Error(`The login is sealed with a key of the keychain. ${key.reason}${cure}`);
    }
  }

  /** What lies there in plain text is sealed where that is wanted. Rejects, with words for a user, where it cannot be. */
  async #asWanted(owner: string, { credential, read }: Opened, signal: AbortSignal): Promise<KeptCredential | null> {
    const { version } = read;
    if (!this.#options.isSealed || read.value.sealed !== undefined) {
      return { credential, version };
    }
    await this.#sealAll();
    const sealed = await this.#seal({ owner, credential, expectedVersion: version }, signal);
    if (sealed.saved) {
      return { credential, version: sealed.version };
    }
    if (sealed.reason === 'unavailable') {
      throw new Error(`The login lies there in plain text, and cannot be sealed: ${sealed.detail}.`);
    }
    return await this.find({ owner, server: credential.server }, signal);
  }

  async #seal({ owner, credential, expectedVersion }: Saving, signal: AbortSignal): Promise<CredentialSave> {
    const found = await this.#keys.current();
    signal.throwIfAborted();
    if (!found.found) {
      return { saved: false, reason: 'unavailable', detail: found.reason.replace(/\.$/, '') };
    }
    const sealed = sealText(JSON.stringify(credential), found.key, { owner, record: keyOf(credential) });
    return await this.#write({ owner, credential, expectedVersion, value: { owner, sealed } }, signal);
  }

  async #write(
    { owner, credential, expectedVersion, value }: Saving & { readonly value: StoredCredential },
    signal: AbortSignal,
  ): Promise<CredentialSave> {
    const stampMs = credential.updatedAtMs;
    return await this.#records.write({ owner, key: keyOf(credential), expectedVersion, stampMs, value }, signal);
  }

  /** Seals what lies there in plain text from before, of all owners and servers, once. What cannot be sealed is told when it is looked for. */
  async #sealAll(): Promise<void> {
    this.#sealingAll ??= this.#sealEach().catch(() => undefined);
    await this.#sealingAll;
  }

  async #sealEach(): Promise<void> {
    for (const owner of await this.#records.owners(never)) {
      for (const { key } of await this.#records.list(owner, never)) {
        const found = await this.#records.read(owner, key, never);
        const { credential, sealed } = found?.value ?? {};
        if (found !== null && credential !== undefined && sealed === undefined) {
          await this.#seal({ owner, credential, expectedVersion: found.version }, never);
        }
      }
    }
  }
}

type Saving = { readonly owner: string } & CredentialToSave;

type Opened = { readonly credential: ServerCredential; readonly read: FoundRecord<StoredCredential> };

const kind = 'credentials';

const never = new AbortController().signal;

const keyPattern = /^[0-9a-f]{32}-[0-9a-f]{32}$/;

function keyOf({ server, issuer }: Pick<ServerCredential, 'server' | 'issuer'>): string {
  return `${digest(server)}-${digest(issuer)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 32);
}
