import { unifiedDiff } from '../edits/unified-diff.ts';
import type { UndonePath, UndoReport, UndoRequest } from '../ports/executor.ts';
import type { FileChange } from '../ports/workspace-steps.ts';
import type { FakeFiles } from './fake-files.ts';
import { fromUtf8, sha256 } from './sha256.ts';

/** What a run has changed at a path: what was there first, and what it left there. */
type Kept = { readonly before: Uint8Array | null; readonly afterHash: string | null };

/** What one run has changed, in memory. */
export class FakeJournal {
  readonly owner: string;
  readonly #files: FakeFiles;
  readonly #show: (path: string) => string;
  readonly #kept = new Map<string, Kept>();

  constructor(owner: string, files: FakeFiles, show: (path: string) => string) {
    this.owner = owner;
    this.#files = files;
    this.#show = show;
  }

  /** Called after a change, with what was there before it; null for nothing. */
  record(path: string, before: Uint8Array | null): FileChange {
    const first = this.#kept.get(path)?.before ?? (this.#kept.has(path) ? null : before);
    this.#kept.set(path, { before: first, afterHash: this.#files.hashOf(path) });
    return this.#describe(path, before);
  }

  /** How each path that the run changed differs from what it was. */
  changes(): readonly FileChange[] {
    return [...this.#kept]
      .filter(([path, { before }]) => (before === null ? null : sha256(before)) !== this.#files.hashOf(path))
      .map(([path, { before }]) => this.#describe(path, before))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  undo({ paths }: Pick<UndoRequest, 'paths'>): UndoReport {
    const wanted = [...this.#kept].filter(([path]) => paths?.includes(this.#show(path)) ?? true);
    return { found: true, paths: wanted.reverse().map(([path, kept]) => this.#undoOne(path, kept)) };
  }

  #undoOne(path: string, { before, afterHash }: Kept): UndonePath {
    const now = this.#files.hashOf(path);
    const shown = this.#show(path);
    if (now === (before === null ? null : sha256(before))) {
      return { path: shown, outcome: 'already-as-before', reason: '' };
    }
    if (now !== afterHash) {
      return { path: shown, outcome: 'refused', reason: 'It was changed after the run.' };
    }
    if (before === null) {
      this.#files.remove(path);
      return { path: shown, outcome: 'removed', reason: '' };
    }
    this.#files.write(path, before);
    return { path: shown, outcome: 'restored', reason: '' };
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

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : (fromUtf8(bytes) ?? '');
}
