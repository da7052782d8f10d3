import type {
  CredentialPlace,
  CredentialSave,
  CredentialStore,
  CredentialToSave,
  KeptCredential,
  ServerCredential,
} from '@gemini-mcp/core/internal';

/** What the right store does at each point where a wrong one does something else. */
export type CredentialPoints = {
  readonly ownerOf: (owner: string) => string;
  readonly serverOf: (server: string) => string;
  readonly issuerOf: (issuer: string) => string;
  readonly isNewer: (one: ServerCredential, other: ServerCredential) => boolean;
  readonly isNewest: (expected: number, there: number) => boolean;
  readonly nextVersion: (last: number, there: number) => number;
  readonly readsDamaged: boolean;
};

export const rightPoints: CredentialPoints = {
  ownerOf: (owner) => owner,
  serverOf: (server) => server,
  issuerOf: (issuer) => issuer,
  isNewer: (one, other) => one.updatedAtMs > other.updatedAtMs,
  isNewest: (expected, there) => expected === there,
  nextVersion: (last) => last + 1,
  readsDamaged: false,
};

type Entry = KeptCredential & { readonly at: string; isDamaged: boolean };

/** A store in memory whose records can be damaged and whose reading and writing can fail. */
export class BreakableCredentialStore implements CredentialStore {
  readonly renewer: string = 'own';
  readonly entries: Map<string, Entry> = new Map();
  isBroken = false;
  readonly #points: CredentialPoints;
  #lastVersion = 0;

  constructor(points: CredentialPoints) {
    this.#points = points;
  }

  runs(renewer: string): boolean {
    return renewer === this.renewer;
  }

  async prepare(): Promise<string | null> {
    return this.isBroken ? 'The disk cannot be written.' : null;
  }

  async find(place: CredentialPlace, _signal: AbortSignal): Promise<KeptCredential | null> {
    if (this.isBroken) {
      throw new Error('The disk cannot be read.');
    }
    const { isNewer, readsDamaged } = this.#points;
    const all = this.at(place).filter(({ isDamaged }) => readsDamaged || !isDamaged);
    const newest = all.reduce<Entry | null>(
      (best, one) => (best === null || isNewer(one.credential, best.credential) ? one : best),
      null,
    );
    return newest && { credential: newest.credential, version: newest.version };
  }

  async save(
    owner: string,
    { credential, expectedVersion }: CredentialToSave,
    _: AbortSignal,
  ): Promise<CredentialSave> {
    if (this.isBroken) {
      return { saved: false, reason: 'unavailable', detail: 'the disk is full' };
    }
    const { isNewest, nextVersion, issuerOf } = this.#points;
    const at = this.#at({ owner, server: credential.server });
    const key = JSON.stringify([at, issuerOf(credential.issuer)]);
    const entry = this.entries.get(key);
    const there = entry === undefined || entry.isDamaged ? 0 : entry.version;
    if (!isNewest(expectedVersion, there)) {
      return { saved: false, reason: 'conflict' };
    }
    const version = nextVersion(this.#lastVersion, there);
    this.#lastVersion = version;
    this.entries.set(key, { at, credential, version, isDamaged: false });
    return { saved: true, version };
  }

  async remove(place: CredentialPlace, _signal: AbortSignal): Promise<string | null> {
    if (this.isBroken) {
      return 'The disk cannot be written.';
    }
    const at = this.#at(place);
    for (const [key, entry] of this.entries) {
      if (entry.at === at) {
        this.entries.delete(key);
      }
    }
    return null;
  }

  at(place: CredentialPlace): readonly Entry[] {
    const at = this.#at(place);
    return [...this.entries.values()].filter((entry) => entry.at === at);
  }

  damage(serial: string): void {
    for (const entry of this.entries.values()) {
      entry.isDamaged ||= entry.credential.serial === serial;
    }
  }

  async breakWriting(): Promise<() => Promise<void>> {
    this.isBroken = true;
    return async () => {
      this.isBroken = false;
    };
  }

  #at({ owner, server }: CredentialPlace): string {
    const { ownerOf, serverOf } = this.#points;
    return JSON.stringify([ownerOf(owner), serverOf(server)]);
  }
}
