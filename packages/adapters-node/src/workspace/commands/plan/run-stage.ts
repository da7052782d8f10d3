import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Redirection, SimpleCommand } from '@gemini-mcp/core';
import { pathOfDescriptor, realPathOfDescriptor } from '../../../disk/descriptor-paths.ts';
import { chooseDescriptorProof, closeDescriptor, openVerified } from '../../../disk/open-verified.ts';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';
import type { SandboxedEnd, SandboxedProgram } from '../running/start-sandboxed.ts';
import { type CommandPaths, realPathOf, shownPath } from './command-place.ts';
import { expandWord } from './expand-word.ts';
import { judgeRealPath } from './judge-redirections.ts';

/** How to start a program. Descriptors are passed on; the caller closes its own. */
export type ProgramStart = {
  readonly words: readonly string[];
  readonly assignments: SimpleCommand['assignments'];
  readonly input: number;
  readonly output: number;
  readonly errors: number;
};

export type StageOptions = {
  readonly command: SimpleCommand;
  /**
   * Its standard input and output, unless its redirections say otherwise. This function closes them. Null: it reads nothing, and prints to
   * `shown`.
   */
  readonly input: number | null;
  readonly output: number | null;
  /** The output that the reader of the command line sees. Stays open. */
  readonly shown: number;
  /** `/dev/null`, open for reading and writing. Stays open. */
  readonly nothing: number;
  readonly places: CommandPaths;
  /** The real path of the plan's directory. */
  readonly directory: string;
  readonly consented: ReadonlySet<string>;
  /** As in `ExpandWordOptions`. */
  readonly heldPaths: ReadonlySet<string>;
  /** Rejects with the reason if the program cannot be started. */
  readonly start: (start: ProgramStart) => Promise<SandboxedProgram>;
  /** Prints a message to the reader of the command line as if the command had. */
  readonly say: (text: string) => void;
};

const failedExitCode = 1;
const notStartedExitCode = 126;

/** Runs one command of a plan to its end, and resolves to its exit code. Never rejects. */
export async function runStage(options: StageOptions): Promise<number> {
  const own = [options.input, options.output].filter((descriptor) => descriptor !== null);
  let program: SandboxedProgram | string;
  try {
    program = await startStage(options, own);
  } catch (error) {
    return exitCodeOf({ ran: false, error }, options);
  } finally {
    for (const descriptor of own) {
      closeSync(descriptor);
    }
  }
  if (typeof program === 'string') {
    options.say(`${program}\n`);
    return failedExitCode;
  }
  return exitCodeOf(await program.ended, options);
}

function exitCodeOf(end: SandboxedEnd, { say }: StageOptions): number {
  if (end.ran) {
    return end.exitCode;
  }
  const reason = end.error instanceof Error ? end.error.message : 'see above';
  say(`The sandbox could not be started: ${reason}\n`);
  return notStartedExitCode;
}

type Streams = { readonly input: number; readonly output: number; readonly errors: number };

/** Adds the descriptors that it opens to `own`. Resolves to a sentence if the command is not started. */
async function startStage(options: StageOptions, own: number[]): Promise<SandboxedProgram | string> {
  const { command, nothing, shown } = options;
  const words = await expandAll(options);
  if (typeof words === 'string') {
    return words;
  }
  let streams: Streams = { input: options.input ?? nothing, output: options.output ?? shown, errors: shown };
  for (const redirection of command.redirections) {
    const next = await redirect(redirection, streams, options);
    if (typeof next === 'string') {
      return next;
    }
    own.push(...next.opened);
    streams = next.streams;
  }
  return await options.start({ words, assignments: command.assignments, ...streams });
}

async function expandAll({ command, directory, places, heldPaths }: StageOptions): Promise<readonly string[] | string> {
  const isInside = (path: string): boolean => places.roots.contains(path);
  const words: string[] = [];
  for (const word of command.words) {
    const names = await expandWord({ word, directory, isInside, heldPaths });
    if ('tooMany' in names) {
      return `${word.type === 'pattern' ? word.source : ''}: too many files match`;
    }
    words.push(...names);
  }
  return words;
}

type Redirected = { readonly streams: Streams; readonly opened: readonly number[] };

async function redirect(
  redirection: Redirection,
  streams: Streams,
  options: StageOptions,
): Promise<Redirected | string> {
  switch (redirection.type) {
    case 'discard':
      return { streams: pointAt(streams, redirection.streams, options.nothing), opened: [] };
    case 'errors-to-output':
      return { streams: { ...streams, errors: streams.output }, opened: [] };
    case 'output-to-errors':
      return { streams: { ...streams, output: streams.errors }, opened: [] };
    case 'from-nothing':
      return { streams: { ...streams, input: options.nothing }, opened: [] };
    case 'from-file':
    case 'to-file': {
      const file = await openRedirection({ ...options, redirection });
      if (!file.ok) {
        return `${redirection.path}: ${file.reason}`;
      }
      const opened = [file.descriptor];
      return redirection.type === 'from-file'
        ? { streams: { ...streams, input: file.descriptor }, opened }
        : { streams: pointAt(streams, redirection.streams, file.descriptor), opened };
    }
  }
}

function pointAt(streams: Streams, which: 'output' | 'errors' | 'both', descriptor: number): Streams {
  return {
    ...streams,
    ...(which === 'errors' ? {} : { output: descriptor }),
    ...(which === 'output' ? {} : { errors: descriptor }),
  };
}

type OpenRedirectionOptions = {
  readonly redirection: Extract<Redirection, { readonly type: 'to-file' | 'from-file' }>;
  readonly places: CommandPaths;
  readonly directory: string;
  /** Display paths that the user has approved. */
  readonly consented: ReadonlySet<string>;
};

/** An open descriptor, or the reason for its absence, worded like a shell's error. */
type OpenedFile = { readonly ok: true; readonly descriptor: number } | { readonly ok: false; readonly reason: string };

/**
 * Opens a file for a command and judges it again: the path may lead elsewhere than when the command line was judged. Inspects the opened
 * file before changing it. The caller closes the descriptor.
 */
async function openRedirection(options: OpenRedirectionOptions): Promise<OpenedFile> {
  const { redirection, directory } = options;
  const real = await realPathOf(resolve(directory, redirection.path));
  if (real === null) {
    return { ok: false, reason: 'it was not found' };
  }
  return redirection.type === 'from-file' ? openToRead(real, options) : openToWrite(real, redirection.appends, options);
}

function openToRead(path: string, { places }: OpenRedirectionOptions): OpenedFile {
  if (isSensitivePath(path)) {
    return { ok: false, reason: 'it is protected' };
  }
  const proof = chooseDescriptorProof();
  const opened = openVerified({ path, kind: 'file', roots: places.roots, proof, followsLink: false });
  return opened.ok
    ? { ok: true, descriptor: opened.descriptor }
    : { ok: false, reason: opened.detail ?? opened.reason };
}

function openToWrite(path: string, appends: boolean, options: OpenRedirectionOptions): OpenedFile {
  const { places, consented } = options;
  const { decision } = judgeRealPath(places, path);
  if (decision === 'deny' || (decision === 'ask' && !consented.has(shownPath(places, path)))) {
    return { ok: false, reason: 'it is protected' };
  }
  const above = openVerified({
    path: dirname(path),
    kind: 'directory',
    roots: places.roots,
    proof: chooseDescriptorProof(),
    followsLink: false,
  });
  if (!above.ok) {
    return { ok: false, reason: above.detail ?? above.reason };
  }
  try {
    return above.realPath === dirname(path) ? create(above.descriptor, path, appends) : moved;
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it cannot be opened' };
  } finally {
    closeDescriptor(above.descriptor);
  }
}

const moved: OpenedFile = { ok: false, reason: 'it was moved while it was being opened' };

/** Truncated only once it is certainly the intended file. */
function create(directory: number, path: string, appends: boolean): OpenedFile {
  const isLinux = process.platform === 'linux';
  const place = isLinux ? join(pathOfDescriptor(directory), basename(path)) : path;
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_APPEND } = constants;
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (appends ? O_APPEND : 0);
  const descriptor = openSync(place, flags, 0o666);
  const isFile = fstatSync(descriptor).isFile();
  if (!isFile || (isLinux && realPathOfDescriptor(descriptor) !== path)) {
    closeDescriptor(descriptor);
    return isFile ? moved : { ok: false, reason: 'it is not a file' };
  }
  if (!appends) {
    ftruncateSync(descriptor);
  }
  return { ok: true, descriptor };
}
