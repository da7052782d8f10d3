import { isText, listOf, objectOf, parseShape } from '../json/shape.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type { Sha256 } from '../ports/sha256.ts';
import type { ToolPin } from './tool-pin.ts';

const mebibyte = 1_048_576;

const kind: RecordKind = {
  name: 'pins',
  maxBytesOfRecord: 64 * mebibyte,
  maxRecordsOfOwner: 10_000,
  maxBytesOfOwner: 1_024 * mebibyte,
  maxBytes: 1_024 * mebibyte,
  maxAgeMs: null,
  // A server whose pins were removed would count as new, and could change its tools unnoticed.
  whenFull: 'refuse',
};

const isPins = listOf(objectOf<ToolPin>({ tool: isText, digest: isText, definition: isText }));

export type ToolPinStore = Pick<PinRecords, 'load' | 'add'>;

/** Keeps the pins of servers as records of any `RecordStore`: their tools as they were approved. */
export class PinRecords {
  readonly #records: RecordStore;
  readonly #sha256: Sha256;
  /** Additions of this process run in sequence; only those of other processes can conflict. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(records: RecordStore, sha256: Sha256) {
    this.#records = records;
    this.#sha256 = sha256;
  }

  /**
   * `key` identifies a server's configuration and owner. Null for a server that was never seen. Empty if the pins cannot be read or the call is
   * aborted: then every tool is withheld until it is approved. Never rejects.
   */
  async load(key: string, signal: AbortSignal): Promise<readonly ToolPin[] | null> {
    return this.#read(key, signal).then(
      ({ pins }) => pins,
      () => [],
    );
  }

  /**
   * Adds pins, each replacing the one for the same tool; an empty list marks the server as seen. Resolves to null once they are saved, otherwise to
   * the reason, for a user. Never rejects.
   */
  async add(key: string, pins: readonly ToolPin[], signal: AbortSignal): Promise<string | null> {
    const added = this.#turn.then(() => this.#add(key, pins, signal)).catch((error: unknown) => whyNot(error, signal));
    this.#turn = added;
    const problem = await added;
    return problem === null ? null : `The approved tools could not be saved: ${problem}.`;
  }

  async #add(key: string, pins: readonly ToolPin[], signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const before = await this.#read(key, signal);
      const byTool = new Map([...(before.pins ?? []), ...pins].map((pin) => [pin.tool, pin]));
      const text = JSON.stringify([...byTool.values()]);
      const record = { ...this.#placeOf(key), expectedVersion: before.version, stampMs: 0, summary: '', text };
      const saved = await this.#records.put(record, signal);
      if (saved.saved || saved.reason === 'unavailable') {
        return saved.saved ? null : saved.detail;
      }
    }
  }

  async #read(
    key: string,
    signal: AbortSignal,
  ): Promise<{ readonly pins: readonly ToolPin[] | null; readonly version: number }> {
    const found = await this.#records.get(this.#placeOf(key), signal);
    if (found === null || found === 'damaged') {
      return { pins: found === null ? null : [], version: 0 };
    }
    return { pins: parseShape(isPins, found.text) ?? [], version: found.version };
  }

  #placeOf(key: string): { readonly kind: RecordKind; readonly owner: string; readonly key: string } {
    return { kind, owner: '', key: this.#sha256(JSON.stringify(key)) };
  }
}

function whyNot(error: unknown, signal: AbortSignal): string {
  const message = error instanceof Error ? error.message : String(error);
  return signal.aborted ? 'the call was cancelled' : message.replace(/\.$/, '');
}
