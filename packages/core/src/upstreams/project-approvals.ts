import { canonicalJson } from '../json/canonical-json.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type { Sha256 } from '../ports/sha256.ts';

/** The settings of a project, as a user approved them. */
export type ProjectSettings = {
  /** The real path of the project. */
  readonly directory: string;
  /** SHA-256 of the file, as hexadecimal digits. */
  readonly digest: string;
};

const kind: RecordKind = {
  name: 'project-approvals',
  maxBytesOfRecord: 16_384,
  maxRecordsOfOwner: 10_000,
  maxBytesOfOwner: 10_000 * 16_384,
  maxBytes: 10_000 * 16_384,
  maxAgeMs: null,
  whenFull: 'remove-oldest',
};

const never = new AbortController().signal;

/** Which settings of which projects a user has approved. An approval holds only for the same content in the same place. */
export class ProjectApprovals {
  readonly #records: RecordStore;
  readonly #sha256: Sha256;

  constructor(records: RecordStore, sha256: Sha256) {
    this.#records = records;
    this.#sha256 = sha256;
  }

  /** Never rejects: settings whose approval cannot be read are not approved. */
  async isApproved(settings: ProjectSettings): Promise<boolean> {
    const text = textOf(settings);
    const found = await this.#records.get(this.#placeOf(text), never).catch(() => null);
    return found !== null && found !== 'damaged' && found.text === text;
  }

  /** Resolves to null once the approval is saved, otherwise to the reason, for a user. */
  async approve(settings: ProjectSettings, nowMs: number): Promise<string | null> {
    const text = textOf(settings);
    const record = { ...this.#placeOf(text), expectedVersion: 0, stampMs: nowMs, summary: '', text };
    const result = await this.#records.put(record, never);
    return result.saved || result.reason === 'conflict' ? null : `The approval could not be kept: ${result.detail}.`;
  }

  #placeOf(text: string): { readonly kind: RecordKind; readonly owner: string; readonly key: string } {
    return { kind, owner: '', key: this.#sha256(text) };
  }
}

function textOf({ directory, digest }: ProjectSettings): string {
  return canonicalJson({ directory, digest });
}
