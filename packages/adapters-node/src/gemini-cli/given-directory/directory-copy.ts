import { rm } from 'node:fs/promises';
import type { Clock } from '@gemini-mcp/core';
import { TimeSlices } from '../../files/time-slices.ts';
import { DirectoryCopySource, type SourceFile, type SourceState } from './directory-copy-source.ts';
import { DirectoryCopyTree } from './directory-copy-tree.ts';
import { visitInSlices } from './directory-copy-visit.ts';

export type CopyLimits = {
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
};

export type DirectoryCopyOptions = {
  /** Times of files are compared with its time. */
  readonly clock: Clock;
  /** A path without links. */
  readonly from: string;
  /** Real paths of directories outside of which nothing is copied. */
  readonly roots: readonly string[];
  /** Directories below which nothing is copied. */
  readonly privateDirectories: readonly string[];
  /** Made by the first update, in a directory that is this user's alone. The owner of that directory removes it. */
  readonly to: string;
  readonly limits: CopyLimits;
};

const moved = 'was moved while it was copied; call again';

export type CopyResult = { readonly copied: true } | { readonly copied: false; readonly detail: string };

/** A repository that the copy happens to lie in is none of its business, and no `.env` further up is. */
const marks: ReadonlyMap<string, string> = new Map([
  ['.git', 'none\n'],
  ['.gemini/.env', ''],
]);

/**
 * What Gemini may read of a directory: text files that no ignore file excludes and whose names do not look like
 * secrets, neither their own nor the one that a link leads to. What the CLI would obey (GEMINI.md, `.gemini`, `.agents`)
 * is left out, and so are links out of the directory, programs, pictures and very large files.
 *
 * A copy, because in 0.61.0 nothing else keeps secrets from the tools: ignore files count in the CLI's own directory only,
 * no rule reaches through a link, and a search through contents asks neither.
 *
 * Assumed: no one writes to the copy while it is updated, because the tools of its readers are read-only. What was written
 * there between updates is undone as far as names, sizes and times show it.
 */
export class DirectoryCopy {
  readonly #options: DirectoryCopyOptions;
  #isUpdating = false;
  #isMade = false;
  /** What the copy holds; null while that is not known. */
  #content: Content | null = null;

  constructor(options: DirectoryCopyOptions) {
    this.#options = options;
  }

  /**
   * Brings the copy to the present state of the directory. A file counts as unchanged by its real path, identity, size and
   * times, unless it was read so soon after a change that another would not show.
   *
   * Resolves to why it could not be done where the directory is too large, cannot be read or is no longer where it was, or
   * the deadline has passed; rejects on abort, when nothing can be written, and when another update is under way. Whatever is there after a failure
   * is no copy of anything: the next update starts from nothing.
   */
  async update(deadlineAtMs: number, signal: AbortSignal): Promise<CopyResult> {
    if (this.#isUpdating) {
      throw new Error('The copy is being updated already');
    }
    this.#isUpdating = true;
    try {
      const obstacle = await this.#update(new TimeSlices({ clock: this.#options.clock, deadlineAtMs }, signal));
      if (obstacle === null) {
        return { copied: true };
      }
      return { copied: false, detail: obstacle === moved ? moved : `${obstacle}; name a smaller one` };
    } finally {
      this.#isUpdating = false;
    }
  }

  async #update(slices: TimeSlices): Promise<string | null> {
    const before = this.#content;
    this.#content = null;
    slices.throwIfAborted();
    const source = DirectoryCopySource.open({ ...this.#options, ...this.#options.limits });
    if (source === null) {
      return 'cannot be read';
    }
    try {
      const copied = await this.#copyFrom(source, before, slices);
      if (typeof copied === 'string') {
        return copied;
      }
      this.#content = source.wasInPlace ? copied : null;
      return this.#content === null ? moved : null;
    } finally {
      source.close();
    }
  }

  async #copyFrom(source: DirectoryCopySource, before: Content | null, slices: TimeSlices): Promise<Content | string> {
    const found = await source.find(slices);
    if (typeof found === 'string') {
      return found;
    }
    const content = before?.tree.isThere === true ? before : await this.#startFromNothing();
    const draft = new Draft({ source, maxBytes: this.#options.limits.maxBytes, slices, ...content });
    return (await draft.bringTo(found)) ?? { tree: content.tree, states: draft.states };
  }

  async #startFromNothing(): Promise<Content> {
    if (this.#isMade) {
      await rm(this.#options.to, { recursive: true, force: true });
    }
    const tree = await DirectoryCopyTree.make(this.#options.to);
    this.#isMade = true;
    return { tree, states: new Map() };
  }
}

type Content = {
  readonly tree: DirectoryCopyTree;
  /** By the paths of the tree: of what each file is a copy. */
  readonly states: ReadonlyMap<string, SourceState>;
};

type DraftOptions = Content & {
  readonly source: DirectoryCopySource;
  readonly maxBytes: number;
  readonly slices: TimeSlices;
};

/** One update under way. */
class Draft {
  readonly states = new Map<string, SourceState>();
  readonly #options: DraftOptions;
  #bytes = 0;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /** Resolves to what was in the way. */
  async bringTo(found: readonly SourceFile[]): Promise<string | null> {
    const { tree, slices } = this.#options;
    const wanted = new Set([...marks.keys(), ...found.map(({ displayPath }) => displayPath)]);
    const steps: readonly (() => Promise<string | null>)[] = [
      () => tree.inspect(slices),
      // First of all what is gone: a file may have its name, or be where it had its directory.
      () => this.#removeAllBut(wanted),
      () => tree.tidy(slices),
      () => visitInSlices(found, slices, (file) => this.#copy(file)),
      () => visitInSlices(marks, slices, ([path, text]) => this.#mark(path, text)),
      () => tree.tidy(slices),
    ];
    for (const step of steps) {
      const obstacle = await step();
      if (obstacle !== null) {
        return obstacle;
      }
    }
    return null;
  }

  #removeAllBut(wanted: ReadonlySet<string>): Promise<string | null> {
    const { tree, slices } = this.#options;
    const gone = tree.paths().filter((path) => !wanted.has(path));
    return visitInSlices(gone, slices, (path) => {
      tree.remove(path);
      return null;
    });
  }

  /** Says why nothing more can be copied; null when it can, whatever became of this one. */
  #copy(file: SourceFile): string | null {
    const { source, tree, states, maxBytes } = this.#options;
    const path = file.displayPath;
    const known = tree.has(path) ? states.get(path) : undefined;
    const reading = source.read(file, known);
    this.#bytes += reading.kind === 'left-out' ? 0 : reading.sizeBytes;
    if (this.#bytes > maxBytes) {
      return `holds more than ${maxBytes} bytes`;
    }
    if (reading.kind === 'unchanged' && known !== undefined) {
      this.states.set(path, known);
    } else if (reading.kind === 'read' && reading.bytes !== null) {
      tree.write(path, reading.bytes);
      this.states.set(path, reading.state);
    } else if (tree.has(path)) {
      tree.remove(path);
    }
    return null;
  }

  #mark(path: string, text: string): string | null {
    const { tree } = this.#options;
    if (!tree.has(path)) {
      tree.write(path, text);
    }
    return null;
  }
}
