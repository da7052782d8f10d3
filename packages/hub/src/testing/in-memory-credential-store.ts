import type {
  CredentialPlace,
  CredentialSave,
  CredentialStore,
  CredentialToSave,
  KeptCredential,
} from '@gemini-mcp/core/internal';

/** What all processes see. */
type Shared = { readonly records: Map<string, KeptCredential>; readonly running: Set<string>; versions: number };

/** Keeps credentials for as long as a test runs. `asProcess` gives the same to another one. */
export class InMemoryCredentialStore implements CredentialStore {
  readonly renewer: string;
  /** Why nothing can be saved or taken away; null where it can. */
  problem: string | null = null;
  /** Why nothing that is there can be read; null where it can. */
  unreadable: string | null = null;
  readonly #shared: Shared;

  constructor(renewer = 'first', shared: Shared = { records: new Map(), running: new Set(), versions: 0 }) {
    this.renewer = renewer;
    this.#shared = shared;
    shared.running.add(renewer);
  }

  asProcess(renewer: string): InMemoryCredentialStore {
    return new InMemoryCredentialStore(renewer, this.#shared);
  }

  /** As if the process had been killed. */
  kill(): void {
    this.#shared.running.delete(this.renewer);
  }

  runs(renewer: string): boolean {
    return this.#shared.running.has(renewer);
  }

  async prepare(): Promise<string | null> {
    return this.problem === null ? null : `No credential can be kept: ${this.problem}.`;
  }

  async find({ owner, server }: CredentialPlace): Promise<KeptCredential | null> {
    if (this.unreadable !== null) {
      throw new Error(this.unreadable);
    }
    const found = [...this.#shared.records].filter(([key]) =>
      key.startsWith(JSON.stringify([owner, server]).slice(0, -1)),
    );
    return (
      found.sort(([, one], [, other]) => other.credential.updatedAtMs - one.credential.updatedAtMs)[0]?.[1] ?? null
    );
  }

  async save(owner: string, { credential, expectedVersion }: CredentialToSave): Promise<CredentialSave> {
    const { server, issuer } = credential;
    const key = JSON.stringify([owner, server, issuer]);
    if (this.problem !== null) {
      return { saved: false, reason: 'unavailable', detail: this.problem };
    }
    if ((this.#shared.records.get(key)?.version ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    // No version comes back, whatever was removed between.
    this.#shared.versions += 1;
    const version = this.#shared.versions;
    this.#shared.records.set(key, { credential, version });
    return { saved: true, version };
  }

  async remove({ owner, server }: CredentialPlace): Promise<string | null> {
    if (this.problem !== null) {
      return `The credential could not be taken away: ${this.problem}.`;
    }
    for (const key of this.#shared.records.keys()) {
      if (key.startsWith(JSON.stringify([owner, server]).slice(0, -1))) {
        this.#shared.records.delete(key);
        this.unreadable = null;
      }
    }
    return null;
  }
}
