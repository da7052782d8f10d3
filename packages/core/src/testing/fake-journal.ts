import { unifiedDiff } from '../edits/unified-diff.ts';
import type { FileChange } from '../ports/workspace/file-steps.ts';
import type { UndonePath, UndoReport, UndoRequest } from '../ports/workspace/undo.ts';
import type { FakeFiles } from './fake-files.ts';
import { fromUtf8, sha256 } from './sha256.ts';

/** A run's change at a path. */
type Kept = {
  /** The original content. */
  readonly before: Uint8Array | null;
  /** The hash of the content that the run left there. */
  readonly afterHash: string | null;
  /** Whether something else changed it between two changes of the run. */
  readonly isMixed: boolean;
};

/** The changes of one run, in memory. */
export class FakeJournal {
  readonly owner: string;
  readonly #files: FakeFiles;
  readonly #show: (path: string) => string;
  readonly #kept = new Map<string, Kept>();
  #isClosed = false;

  constructor(owner: string, files: FakeFiles, show: (path: string) => string) {
    this.owner = owner;
    this.#files = files;
    this.#show = show;
  }

  /** Call it after a change, with the previous content; null for a new file. */
  record(path: string, before: Uint8Array | null): FileChange {
    const known = this.#kept.get(path);
    const first = known === undefined ? before : known.before;
    const beforeHash = hashOf(before);
    const follows = known === undefined || beforeHash === known.afterHash || beforeHash === hashOf(first);
    const isMixed = known !== undefined && beforeHash !== hashOf(first) && (known.isMixed || !follows);
    this.#kept.set(path, { before: first, afterHash: this.#files.hashOf(path), isMixed });
    return this.#describe(path, before);
  }

  /** The difference of each changed path from its state before the run. */
  changes(): readonly FileChange[] {
    return [...this.#kept]
      .filter(([path, { before }]) => hashOf(before) !== this.#files.hashOf(path))
      .map(([path, { before }]) => this.#describe(path, before))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Ends the run: it can be undone from now on. */
  close(): void {
    this.#isClosed = true;
  }

  undo({ paths }: Pick<UndoRequest, 'paths'>, signal: AbortSignal): UndoReport {
    const kept = new Map([...this.#kept].map(([path, one]) => [this.#show(path), { path, ...one }]));
    const names = paths ?? [...kept.keys()].reverse();
    return { found: true, paths: names.map((name) => ({ path: name, ...this.#undoNamed(kept.get(name), signal) })) };
  }

  #undoNamed(kept: (Kept & { readonly path: string }) | undefined, signal: AbortSignal): Outcome {
    if (kept === undefined) {
      return refuse('The run did not change it.');
    }
    if (signal.aborted) {
      return refuse('The undo was stopped before it.');
    }
    return this.#isClosed ? this.#undoOne(kept) : refuse('The run is still in progress: end it first.');
  }

  #undoOne({ path, before, afterHash, isMixed }: Kept & { readonly path: string }): Outcome {
    const now = this.#files.hashOf(path);
    if (now === hashOf(before) || afterHash === hashOf(before)) {
      return { outcome: 'already-as-before', reason: '' };
    }
    if (now !== afterHash || isMixed) {
      return refuse('It was changed by something else than the run.');
    }
    if (before === null) {
      this.#files.remove(path);
      return { outcome: 'removed', reason: '' };
    }
    this.#files.write(path, before);
    return { outcome: 'restored', reason: '' };
  }

  #describe(path: string, before: Uint8Array | null): FileChange {
    const now = this.#files.read(path);
    const shown = this.#show(path);
    const change = before === null ? 'created' : 'modified';
    return {
      path: shown,
      kind: now === null ? 'deleted' : change,
      ...unifiedDiff({ path: shown, before: textOf(before), after: textOf(now) }),
    };
  }
}

type Outcome = Pick<UndonePath, 'outcome' | 'reason'>;

function refuse(reason: string): Outcome {
  return { outcome: 'refused', reason };
}

function hashOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : sha256(bytes);
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : (fromUtf8(bytes) ?? '');
}
