import { join } from 'node:path';
import { JournalFile, readJournalFile } from './journal-file.ts';
import type { JournalLine, RunLine } from './journal-line.ts';
import { RunAccount } from './run-account.ts';
import { contentsName, journalName } from './run-journal.ts';
import { SavedContents } from './saved-contents.ts';

/** The journal of a run that has ended, or whose process has. */
export type OpenedJournal = {
  readonly run: RunLine;
  readonly account: RunAccount;
  readonly contents: SavedContents;
  /** Appends a line. Rejects if the system refuses. */
  readonly note: (line: JournalLine) => Promise<void>;
};

export type JournalOpening =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'opened'; readonly journal: OpenedJournal };

/** Reads the journal in a run's directory. Rejects if the system refuses. */
export async function openJournal(directory: string, maxJournalBytes: number): Promise<JournalOpening> {
  const path = join(directory, journalName);
  const reading = await readJournalFile(path, maxJournalBytes);
  if (reading.kind !== 'read') {
    return reading;
  }
  const [run, ...lines] = reading.lines;
  if (run === undefined) {
    // The process was killed before the first line was complete: nothing was changed.
    return { kind: 'missing' };
  }
  if (run.type !== 'run') {
    return { kind: 'damaged', reason: 'its first line is missing' };
  }
  const account = new RunAccount();
  for (const line of lines) {
    account.apply(line);
  }
  const note = createNote(path, reading.wholeBytes, account);
  return {
    kind: 'opened',
    journal: { run, account, contents: new SavedContents(join(directory, contentsName)), note },
  };
}

function createNote(path: string, wholeBytes: number, account: RunAccount): OpenedJournal['note'] {
  let end = wholeBytes;
  return async (line) => {
    const file = await JournalFile.reopen(path, end);
    try {
      await file.append([line]);
      end = file.sizeBytes;
      account.apply(line);
    } finally {
      await file.close();
    }
  };
}
