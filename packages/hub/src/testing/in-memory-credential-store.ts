import type {
  CredentialPlace,
  CredentialSave,
  CredentialStore,
  CredentialToSave,
  KeptCredential,
} from '@gemini-mcp/core/internal';

type Records = Map<string, KeptCredential>;

/** Keeps credentials for as long as a test runs. `asProcess` gives the same to another one. */
export class InMemoryCredentialStore implements CredentialStore {
  readonly renewer: string;
  /** Why nothing can be saved; null where it can. */
  problem: string | null = null;
  readonly #records: Records;
  readonly #running: Set<string>;
  #versions = 0;

  constructor(renewer = 'first', records: Records = new Map(), running: Set<string> = new Set()) {
    this.renewer = renewer;
    this.#records = records;
    this.#running = running.add(renewer);
  }

  asProcess(renewer: string): InMemoryCredentialStore {
    return new InMemoryCredentialStore(renewer, this.#records, this.#running);
  }

  /** As if the process had been killed. */
  kill(): void {
    this.#running.delete(this.renewer);
  }

  runs(renewer: string): boolean {
    return this.#running.has(renewer);
  }

  async find({ owner, server }: CredentialPlace): Promise<KeptCredential | null> {
    const found = [...this.#records].filter(([key]) => key.startsWith(JSON.stringify([owner, server]).slice(0, -1)));
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
    if ((this.#records.get(key)?.version ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    this.#versions += 1;
    const version = expectedVersion === 0 ? this.#versions : expectedVersion + 1;
    this.#records.set(key, { credential, version });
    return { saved: true, version };
  }

  async remove({ owner, server }: CredentialPlace): Promise<null> {
    for (const key of this.#records.keys()) {
      if (key.startsWith(JSON.stringify([owner, server]).slice(0, -1))) {
        this.#records.delete(key);
      }
    }
    return null;
  }
}
