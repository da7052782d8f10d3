import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editTextFile, loginFilePath } from '@gemini-mcp/adapters-node/internal';
import { type ClientName, clientNames, isNameOf } from '../clients/client-names.ts';
import type { WrittenEntry } from './plan-entry.ts';

/** What `setup` wrote, and where. */
export type SetupRecord = WrittenEntry & {
  /** Absolute. */
  readonly file: string;
};

/** Remembers what `setup` wrote, so that it recognizes its own entries and can undo them. */
export class SetupRecords {
  readonly path: string;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.path = join(dirname(loginFilePath(environment)), 'setup.json');
  }

  /** Empty if the file is missing or damaged. */
  async read(): Promise<ReadonlyMap<ClientName, SetupRecord>> {
    return parse(await readFile(this.path, 'utf8').catch(() => ''));
  }

  /** Replaces the record of a client, or removes it (null). Resolves to null, or to the reason for a failure. */
  async write(client: ClientName, record: SetupRecord | null): Promise<string | null> {
    const edit = (text: string | null): string => {
      const others = [...parse(text ?? '')].filter(([name]) => name !== client);
      const all = record === null ? others : [...others, [client, record]];
      return `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
    };
    const written = await editTextFile({ path: this.path, below: null, edit, isPrivate: true });
    return written.type === 'failed' ? `${this.path} could not be changed: ${written.reason}` : null;
  }
}

function parse(text: string): ReadonlyMap<ClientName, SetupRecord> {
  try {
    const records: unknown = JSON.parse(text);
    return new Map(
      Object.entries(isObject(records) ? records : {}).flatMap(([client, record]) =>
        isNameOf(clientNames, client) && isRecord(record) ? [[client, record] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

function isRecord(value: unknown): value is SetupRecord {
  if (!isObject(value)) {
    return false;
  }
  const { file, digest, existed, wanted, entry, previous } = value;
  return (
    [file, digest].every((text) => typeof text === 'string') &&
    typeof existed === 'boolean' &&
    [wanted, entry, previous ?? {}].every(isObject)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
