import type { FoundLine, FoundLines, SearchFilesRequest, StepResult } from '@gemini-mcp/core';
import {
  createLineSearch,
  type FindInLine,
  looksSecret,
  refusal,
  refused,
  searchLines,
} from '@gemini-mcp/core/internal';
import { closeDescriptor, openVerified } from '../../../files/open-verified.ts';
import { readWhole, ScratchBuffer } from '../../../files/read-whole.ts';
import { decodeText } from '../../../files/text-decoding.ts';
import { TimeSlices } from '../../../files/time-slices.ts';
import type { WalkOptions } from '../list-run-files.ts';
import { isSecretPlace, useRunFile } from '../read-run-file.ts';
import type { RunReach } from '../run-reach.ts';
import { showName } from '../run-reach.ts';
import { findDirectory, walkRunFiles } from '../walk-run-files.ts';
import { filterByRipgrep } from './filter-by-ripgrep.ts';
import { createQuickTest, longestLine } from './pattern-cost.ts';
import { requiredTexts } from './required-texts.ts';
import { WatchedSteps } from './watched-steps.ts';

/** Texts that someone wrote are smaller; reading one takes some milliseconds. */
const maxFileBytes = 10_485_760;
const maxLines = 500;
const maxSearchMs = 30_000;

/** Files to look through, by real paths in order, and how many were passed over by their names. */
type Searched = { readonly paths: readonly string[]; readonly passedOver: number; readonly isComplete: boolean };

/** Finds lines in files, by ripgrep's help where it is installed: it tells which files need not be read. Rejects on abort. */
export async function searchRunFiles(
  options: WalkOptions,
  request: SearchFilesRequest,
  signal: AbortSignal,
): Promise<StepResult<FoundLines>> {
  const search = createLineSearch(request);
  if (!search.ok) {
    return search;
  }
  const searched = await findSearched(options, request, signal);
  if (!searched.ok) {
    return searched;
  }
  const likely = await findLikely(request, searched.value.paths, signal);
  const { reach, clock } = options;
  const slices = new TimeSlices({ clock, deadlineAtMs: clock.now() + maxSearchMs }, signal);
  const isQuick = request.isPattern ? createQuickTest(request.text) : (): boolean => true;
  const pass = new SearchPass({ reach, find: search.value, slices, isQuick });
  return pass.run(searched.value, likely);
}

/** Null where every file has to be read. */
async function findLikely(
  { text, isPattern, ignoresCase }: SearchFilesRequest,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const texts = isPattern ? requiredTexts(text) : [text];
  return texts === null ? null : await filterByRipgrep({ texts, ignoresCase, paths }, signal);
}

async function findSearched(
  options: WalkOptions,
  { path, filePattern }: SearchFilesRequest,
  signal: AbortSignal,
): Promise<StepResult<Searched>> {
  const file = useRunFile(options.reach, path, ({ realPath }) => ({ ok: true, value: realPath }));
  if (file.ok) {
    return { ok: true, value: { paths: [file.value], passedOver: 0, isComplete: true } };
  }
  const directory = findDirectory(options.reach, path);
  if (!directory.ok) {
    // A file that may not be read says so; anything else is told as what it is: no directory.
    return file.refusal.code === 'protected' ? file : directory;
  }
  if (isSecretPlace(directory.value)) {
    return refused(looksSecret(showName(path)));
  }
  const walked = await walkRunFiles(options, { directory: directory.value, pattern: filePattern }, signal);
  if (!walked.ok) {
    return refused(refusal('invalid-arguments', `The pattern for files is refused: ${walked.problem}.`));
  }
  const inside = walked.files.filter(({ isLink }) => !isLink);
  const paths = inside.filter(({ kind }) => kind === 'file').map(({ absolutePath }) => absolutePath);
  const sorted = sortByDisplay(options.reach, paths);
  return {
    ok: true,
    value: { paths: sorted, passedOver: inside.length - paths.length, isComplete: walked.isComplete },
  };
}

function sortByDisplay(reach: RunReach, paths: readonly string[]): readonly string[] {
  const shown = paths.map((path) => ({ path, display: reach.display(path) }));
  return shown.sort((one, other) => (one.display < other.display ? -1 : 1)).map(({ path }) => path);
}

type SearchPassOptions = {
  readonly reach: RunReach;
  readonly find: FindInLine;
  readonly slices: TimeSlices;
  /** Whether a line of a length is matched in no time. */
  readonly isQuick: (length: number) => boolean;
};

/** One search through files, in order. */
class SearchPass {
  readonly #options: SearchPassOptions;
  readonly #steps: WatchedSteps;
  readonly #scratch = new ScratchBuffer();
  readonly #lines: FoundLine[] = [];
  #files = 0;
  #passedOver = 0;

  constructor(options: SearchPassOptions) {
    this.#options = options;
    this.#steps = new WatchedSteps(options.slices);
  }

  async run(searched: Searched, likely: ReadonlySet<string> | null): Promise<StepResult<FoundLines>> {
    const { slices } = this.#options;
    this.#passedOver = searched.passedOver;
    let isComplete = searched.isComplete;
    for (const path of searched.paths) {
      if (this.#lines.length > maxLines || slices.isPastDeadline) {
        isComplete = false;
        break;
      }
      if (!(await this.#look(path, likely))) {
        return refused(tooSlow);
      }
    }
    const lines = this.#lines.slice(0, maxLines);
    const isCut = !isComplete || this.#lines.length > maxLines;
    return { ok: true, value: { lines, isCut, files: this.#files, passedOver: this.#passedOver } };
  }

  /** False where the search takes too long in this file. */
  async #look(path: string, likely: ReadonlySet<string> | null): Promise<boolean> {
    if (isSecretPlace(path)) {
      this.#passedOver += 1;
      return true;
    }
    if (likely !== null && !likely.has(path)) {
      this.#files += 1;
      return true;
    }
    const text = this.#read(path);
    if (text === null) {
      this.#passedOver += 1;
      return true;
    }
    this.#files += 1;
    const { find, isQuick, reach } = this.#options;
    const limit = maxLines + 1 - this.#lines.length;
    const end = await this.#steps.run(() => searchLines(text, find, limit), !isQuick(longestLine(text)));
    if (end.ok) {
      const display = reach.display(path);
      this.#lines.push(...end.result.map((line) => ({ path: display, ...line })));
    }
    return end.ok;
  }

  /** Null for what is no text, too large, gone, or out of reach by now. */
  #read(path: string): string | null {
    const { roots, proof } = this.#options.reach;
    const opened = openVerified({ path, kind: 'file', roots, proof, followsLink: false });
    if (!opened.ok) {
      return null;
    }
    const { descriptor, realPath, stats } = opened;
    try {
      if (realPath !== path || stats.size > maxFileBytes) {
        return null;
      }
      const read = readWhole(descriptor, stats.size, this.#scratch);
      const decoded = read.ok ? decodeText(read.bytes) : read;
      return decoded.ok ? decoded.text : null;
    } finally {
      closeDescriptor(descriptor);
    }
  }
}

const tooSlow = refusal(
  'timeout',
  'The pattern takes too long to match.',
  'Use a simpler pattern, without repetitions inside of repetitions, or search for text.',
);
