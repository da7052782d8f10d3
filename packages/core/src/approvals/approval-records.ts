import { canonicalJson } from '../json/canonical-json.ts';
import {
  isBoolean,
  isNumber,
  isText,
  listOf,
  nullable,
  objectOf,
  oneOf,
  parseShape,
  type Shape,
} from '../json/shape.ts';
import type { ApprovalStore, ApprovalToKeep, LastingApproval } from '../ports/approval-store.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type { Sha256 } from '../ports/sha256.ts';

export type ApprovalRecordsOptions = {
  readonly records: RecordStore;
  readonly sha256: Sha256;
  /** Receives a sentence if approvals are ignored: they cannot be read, or one was edited by hand. */
  readonly onProblem?: (sentence: string) => void;
};

/** Every approval is read for every question that it could answer, so more are refused. */
const maxApprovals = 1_000;

const kind: RecordKind = {
  name: 'approvals',
  maxBytesOfRecord: 16_384,
  maxRecordsOfOwner: maxApprovals,
  maxBytesOfOwner: maxApprovals * 16_384,
  maxBytes: maxApprovals * 16_384,
  maxAgeMs: null,
  whenFull: 'refuse',
};

/** There is one user. */
const owner = '';

type Allows = LastingApproval['allows'];

const isCommand = objectOf<Extract<Allows, { type: 'command' }>>({
  type: oneOf('command'),
  prefix: (value): value is readonly [string, ...string[]] =>
    listOf(isText)(value) && value.length > 0 && value[0] !== '',
  network: isBoolean,
});

const isTool = objectOf<Extract<Allows, { type: 'tool' }>>({
  type: oneOf('tool'),
  server: isText,
  tool: isText,
  digest: isText,
});

const isAllows: Shape<Allows> = (value): value is Allows => isCommand(value) || isTool(value);

const isApproval = objectOf<ApprovalToKeep>({ directory: nullable(isText), allows: isAllows, allowedAtMs: isNumber });

/** Keeps approvals as records of any `RecordStore`, one record each, so that concurrent writers lose nothing. */
export class ApprovalRecords implements ApprovalStore {
  readonly #options: ApprovalRecordsOptions;

  constructor(options: ApprovalRecordsOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<readonly LastingApproval[]> {
    const { records, onProblem } = this.#options;
    try {
      const listed = await records.list({ kind, owner }, maxApprovals, signal);
      return listed
        .flatMap(({ key, summary }) => this.#read(key, summary) ?? [])
        .sort((one, other) => one.allowedAtMs - other.allowedAtMs || (one.id < other.id ? -1 : 1));
    } catch (error) {
      if (!signal.aborted) {
        onProblem?.(error instanceof Error ? error.message : String(error));
      }
      return [];
    }
  }

  async add({ directory, allows, allowedAtMs }: ApprovalToKeep, signal: AbortSignal): Promise<string | null> {
    const key = this.#idOf({ directory, allows });
    const summary = JSON.stringify({ directory, allows, allowedAtMs });
    const record = { kind, owner, key, expectedVersion: 0, stampMs: allowedAtMs, summary, text: '' };
    const result = await this.#options.records.put(record, signal).catch(() => null);
    if (result === null) {
      return notKept('the call was cancelled');
    }
    if (!result.saved && result.reason === 'unavailable') {
      return notKept(result.detail);
    }
    return null;
  }

  async revoke(id: string, signal: AbortSignal): Promise<boolean> {
    const result = await this.#options.records.delete({ kind, owner, key: id }, signal).catch(() => null);
    return result?.deleted === true;
  }

  /** The id is a digest of the approval, so a record that was edited by hand no longer matches. */
  #read(id: string, summary: string): LastingApproval | null {
    const approval = parseShape(isApproval, summary);
    if (approval !== null && this.#idOf(approval) === id) {
      return { id, ...approval };
    }
    this.#options.onProblem?.(`The approval ${id} allows nothing: it was changed by hand. Revoke it.`);
    return null;
  }

  #idOf({ directory, allows }: Pick<ApprovalToKeep, 'directory' | 'allows'>): string {
    return this.#options.sha256(canonicalJson({ allows, directory })).slice(0, 20);
  }
}

function notKept(why: string): string {
  return `The approval could not be kept: ${why}. It holds for this run alone.`;
}
