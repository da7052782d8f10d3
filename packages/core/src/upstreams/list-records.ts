import { isBoolean, isNumber, isRecord, isText, listOf, nullable, objectOf, parseShape } from '../json/shape.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type { Sha256 } from '../ports/sha256.ts';
import type { ListedPrompt, ListedResource, ListedTool, ServerLists } from '../ports/upstreams/server-lists.ts';

const mebibyte = 1_048_576;

const kind: RecordKind = {
  name: 'server-lists',
  // A server's lists have at most 8 MB as the server writes them.
  maxBytesOfRecord: 32 * mebibyte,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 1_024 * mebibyte,
  maxBytes: 1_024 * mebibyte,
  maxAgeMs: null,
  whenFull: 'remove-oldest',
};

const isTool = objectOf<ListedTool>({
  name: isText,
  title: nullable(isText),
  description: isText,
  inputSchema: isRecord,
  outputSchema: nullable(isRecord),
  annotations: isRecord,
});

const isPrompt = objectOf<ListedPrompt>({
  name: isText,
  title: nullable(isText),
  description: isText,
  arguments: listOf(
    objectOf<ListedPrompt['arguments'][number]>({ name: isText, description: isText, isRequired: isBoolean }),
  ),
});

const isResource = objectOf<ListedResource>({
  uri: isText,
  isTemplate: isBoolean,
  name: isText,
  title: nullable(isText),
  description: isText,
  mediaType: nullable(isText),
});

const isLists = objectOf<ServerLists>({
  tools: listOf(isTool),
  prompts: listOf(isPrompt),
  resources: listOf(isResource),
  instructions: nullable(isText),
  leftOut: listOf(isText),
  takenAtMs: isNumber,
});

export type UpstreamListStore = Pick<ListRecords, 'load' | 'save'>;

/** Keeps the lists of servers as records of any `RecordStore`, so that nothing waits for a server that was connected before. */
export class ListRecords {
  readonly #records: RecordStore;
  readonly #sha256: Sha256;

  constructor(records: RecordStore, sha256: Sha256) {
    this.#records = records;
    this.#sha256 = sha256;
  }

  /** `key` identifies a server's configuration and owner. Null if nothing can be read. Never rejects. */
  async load(key: string, signal: AbortSignal): Promise<ServerLists | null> {
    const found = await this.#get(key, signal);
    return found === null || found === 'damaged' ? null : parseShape(isLists, found.text);
  }

  /** Replaces the saved lists. Never rejects: lists that cannot be saved are read from the server again. */
  async save(key: string, lists: ServerLists, signal: AbortSignal): Promise<void> {
    const found = await this.#get(key, signal);
    const expectedVersion = found === null || found === 'damaged' ? 0 : found.version;
    const record = { expectedVersion, stampMs: lists.takenAtMs, summary: '', text: JSON.stringify(lists) };
    // A conflict means that another process has just saved the same lists.
    await this.#records.put({ ...this.#placeOf(key), ...record }, signal).catch(() => undefined);
  }

  #get(key: string, signal: AbortSignal): ReturnType<RecordStore['get']> {
    return this.#records.get(this.#placeOf(key), signal).catch(() => null);
  }

  #placeOf(key: string): { readonly kind: RecordKind; readonly owner: string; readonly key: string } {
    return { kind, owner: '', key: this.#sha256(JSON.stringify(key)) };
  }
}
