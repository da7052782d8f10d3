import { type Context, createContext, Script } from 'node:vm';
import type { FoundLine, FoundLines, SearchFilesRequest, StepResult } from '@gemini-mcp/core';
import {
  createLineSearch,
  type FindInLine,
  looksSecret,
  refusal,
  refused,
  searchLines,
} from '@gemini-mcp/core/internal';
import { closeDescriptor, openVerified } from '../../../disk/open-verified.ts';
import { readWhole, ScratchBuffer } from '../../../disk/read-whole.ts';
import { decodeText } from '../../../disk/text-decoding.ts';
import { TimeSlices } from '../../../disk/time-slices.ts';
import type { ListWalkOptions } from '../list-run-files.ts';
import { isSecretPlace, useRunFile } from '../read-run-file.ts';
import { type RunReach, showName } from '../run-reach.ts';
import { openRunDirectory, walkRunFiles } from '../walk-run-files.ts';
import { filterByRipgrep, requiredTexts } from './filter-by-ripgrep.ts';

/** Hand-written texts are smaller; reading one takes some milliseconds. */
const maxFileBytes = 10_485_760;
const maxLines = 500;
const maxSearchMs = 30_000;

/** The longest time to match some lines, during which the thread is blocked. */
const watchMs = 100;

/** On a busy machine that time can pass without work, so a second try gets more. */
const secondWatchMs = 500;

/** This many lines, or characters of small files, are matched under one watch, which costs some 0.2 ms. */
const linesPerWatch = 1_024;
const batchCharacters = 65_536;

/** The files to search, by real path in order, and the number skipped because of their names. */
type Searched = { readonly paths: readonly string[]; readonly passedOver: number; readonly isComplete: boolean };

/** Finds lines in files. If ripgrep is installed, it shows which files need not be read. Rejects on abort. */
export async function searchRunFiles(
  options: ListWalkOptions,
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
  const pass = new SearchPass({ reach, find: search.value, isPattern: request.isPattern, slices });
  return pass.run(searched.value, likely);
}

async function findLikely(
  { text, isPattern, ignoresCase }: SearchFilesRequest,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const texts = isPattern ? requiredTexts(text) : [text];
  return texts === null ? null : await filterByRipgrep({ texts, ignoresCase, paths }, signal);
}

async function findSearched(
  options: ListWalkOptions,
  { path, filePattern }: SearchFilesRequest,
  signal: AbortSignal,
): Promise<StepResult<Searched>> {
  const file = useRunFile(options.reach, path, ({ realPath }) => ({ ok: true, value: realPath }));
  if (file.ok) {
    return { ok: true, value: { paths: [file.value], passedOver: 0, isComplete: true } };
  }
  const directory = openRunDirectory(options.reach, path);
  if (!directory.ok) {
    // A file that must not be read is reported as such; anything else as not being a directory.
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
  readonly isPattern: boolean;
  readonly slices: TimeSlices;
};

type SearchedText = { readonly path: string; readonly text: string };

type Steps = Generator<undefined, readonly FoundLine[]>;

class SearchPass {
  readonly #options: SearchPassOptions;
  readonly #scratch = new ScratchBuffer();
  readonly #lines: FoundLine[] = [];
  /** Read but not yet searched: small files share a watch. */
  #waiting: SearchedText[] = [];
  #waitingCharacters = 0;
  /** Created for the first pattern, because most searches have no pattern, and creating it takes longer than they do. */
  #watched: Watched | null = null;
  #files = 0;
  #passedOver = 0;

  constructor(options: SearchPassOptions) {
    this.#options = options;
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
      this.#look(path, likely);
      if (!(await this.#goOn())) {
        return refused(tooSlow);
      }
    }
    if (!(await this.#match())) {
      return refused(tooSlow);
    }
    const lines = this.#lines.slice(0, maxLines);
    const isCut = !isComplete || this.#lines.length > maxLines;
    return { ok: true, value: { lines, isCut, files: this.#files, passedOver: this.#passedOver } };
  }

  /** Yields to others, and searches the waiting texts once there are enough for a watch. False if that takes too long. */
  async #goOn(): Promise<boolean> {
    const { slices } = this.#options;
    if (slices.isUsedUp) {
      await slices.next();
    }
    return this.#waitingCharacters <= batchCharacters || this.#match();
  }

  #look(path: string, likely: ReadonlySet<string> | null): void {
    const isSecret = isSecretPlace(path);
    if (!isSecret && likely !== null && !likely.has(path)) {
      this.#files += 1;
      return;
    }
    const text = isSecret ? null : this.#read(path);
    if (text === null) {
      this.#passedOver += 1;
      return;
    }
    this.#files += 1;
    this.#waiting.push({ path: this.#options.reach.display(path), text });
    this.#waitingCharacters += text.length;
  }

  /** Searches the waiting texts. False if that takes too long. */
  async #match(): Promise<boolean> {
    const texts = this.#waiting;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    const begin = (): Steps => searchTexts(texts, this.#options.find, maxLines + 1 - this.#lines.length);
    const startedAt = processorMs();
    let found = await this.#take(begin(), watchMs);
    if (found === null && processorMs() - startedAt <= watchMs / 2) {
      found = await this.#take(begin(), secondWatchMs);
    }
    this.#lines.push(...(found ?? []));
    return found !== null;
  }

  /** Null if some lines take longer than a watch. Rejects on abort. */
  async #take(steps: Steps, timeoutMs: number): Promise<readonly FoundLine[] | null> {
    const { isPattern, slices } = this.#options;
    for (;;) {
      const step = isPattern ? this.#watch(() => advance(steps), timeoutMs) : advance(steps);
      if (step === null || step.done === true) {
        return step?.value ?? null;
      }
      if (slices.isUsedUp) {
        await slices.next();
      }
    }
  }

  /** Null if V8 stopped the work at its time limit: nothing else stops an expression that backtracks without end. */
  #watch<Result>(work: () => Result, timeout: number): Result | null {
    this.#watched ??= createWatched();
    const { held, context, script } = this.#watched;
    let result: Result | null = null;
    held.run = (): void => {
      result = work();
    };
    try {
      script.runInContext(context, { timeout });
      return result;
    } catch (error) {
      // The error comes from another realm.
      const code: unknown = Object(error).code;
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        return null;
      }
      throw error;
    }
  }

  /** Null for a file that is binary, too large, gone, or out of reach by now. */
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

function* searchTexts(texts: readonly SearchedText[], find: FindInLine, limit: number): Steps {
  const found: FoundLine[] = [];
  for (const { path, text } of texts) {
    const lines = yield* searchLines(text, find, limit - found.length);
    found.push(...lines.map((line) => ({ path, ...line })));
  }
  return found;
}

function advance(steps: Steps): IteratorResult<undefined, readonly FoundLine[]> {
  let step = steps.next();
  for (let lines = 1; lines < linesPerWatch && step.done !== true; lines += 1) {
    step = steps.next();
  }
  return step;
}

/** The code that runs under a watch: the script calls `run` of the object that the context was made from. */
type Watched = { readonly held: { run: () => void }; readonly context: Context; readonly script: Script };

function createWatched(): Watched {
  const held = { run: (): void => undefined };
  return { held, context: createContext(held), script: new Script('run()') };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const tooSlow = refusal(
  'timeout',
  'The pattern takes too long to match.',
  'Use a simpler pattern, without nested repetitions, or search for text.',
);
