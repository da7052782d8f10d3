import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Entry, type EntryPlace, editEntry, readEntry } from '@gemini-mcp/upstreams';

/** What `setup` wrote into the settings of a client. */
export type WrittenEntry = {
  /** The entry that it asked for, and the one that the settings then had. A client's own command may add defaults. */
  readonly wanted: Entry;
  readonly entry: Entry;
  /** The entry in place before; null if missing. */
  readonly previous: Entry | null;
  /** SHA-256 of the whole file as written, in hexadecimal. */
  readonly digest: string;
  /** Whether the file existed before. */
  readonly existed: boolean;
};

export type EntryPlan =
  | { readonly type: 'add' | 'update' | 'replace'; readonly text: string; readonly previous: Entry | null }
  /** `kept`: someone else wrote the entry, or changed ours by hand. */
  | { readonly type: 'unchanged' | 'kept' }
  /** The rest of a sentence that begins with the path. */
  | { readonly type: 'failed'; readonly problem: string };

export type PlanEntryOptions = {
  readonly place: EntryPlace;
  readonly entry: Entry;
  /** Null for a client that was not set up before. */
  readonly written: WrittenEntry | null;
  /** Whether an entry of someone else is replaced. */
  readonly replaces: boolean;
};

/** Decides what becomes of a client's settings. `text` is null for a missing file. */
export function planEntry(text: string | null, { place, entry, written, replaces }: PlanEntryOptions): EntryPlan {
  const read = readEntry(text ?? '', place);
  if (!read.ok) {
    return { type: 'failed', problem: read.problem };
  }
  const type = decide(read.entry, { entry, written, replaces });
  if (type === 'unchanged' || type === 'kept') {
    return { type };
  }
  const edited = editEntry(text ?? '', place, entry);
  if (!edited.ok) {
    return { type: 'failed', problem: edited.problem };
  }
  const previous = type === 'update' && written !== null ? written.previous : asEntry(read.entry);
  return { type, text: edited.text, previous };
}

function decide(
  there: unknown,
  { entry, written, replaces }: Omit<PlanEntryOptions, 'place'>,
): 'add' | 'update' | 'replace' | 'unchanged' | 'kept' {
  const isOurs = written !== null && isSame(there, written.entry);
  if (isSame(there, entry) || (isOurs && isSame(written.wanted, entry))) {
    return 'unchanged';
  }
  if (there === undefined) {
    return 'add';
  }
  if (isOurs) {
    return 'update';
  }
  return replaces ? 'replace' : 'kept';
}

export type UndoPlan =
  /** `text`: null to delete the file. */
  | { readonly type: 'restore' | 'remove'; readonly text: string | null }
  | { readonly type: 'gone' | 'kept' }
  | { readonly type: 'failed'; readonly problem: string };

export type PlanUndoOptions = {
  readonly place: EntryPlace;
  readonly written: WrittenEntry;
  /** The whole text before; null if the file or its backup is missing. */
  readonly backup: string | null;
};

/** Decides how settings get back to their state before: byte for byte if they are as written, else without our entry. */
export function planUndo(text: string | null, { place, written, backup }: PlanUndoOptions): UndoPlan {
  if (text === null) {
    return { type: 'gone' };
  }
  if (digestOfText(text) === written.digest && (backup !== null || !written.existed)) {
    return { type: 'restore', text: written.existed ? backup : null };
  }
  const read = readEntry(text, place);
  if (!read.ok) {
    return { type: 'failed', problem: read.problem };
  }
  if (read.entry === undefined) {
    return { type: 'gone' };
  }
  if (!isSame(read.entry, written.entry)) {
    return { type: 'kept' };
  }
  const edited = editEntry(text, place, written.previous);
  return edited.ok ? { type: 'remove', text: edited.text } : { type: 'failed', problem: edited.problem };
}

export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Without the prototypes of the parsers. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function asEntry(value: unknown): Entry | null {
  return typeof value === 'object' && value !== null ? (value as Entry) : null;
}
