import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  FileContextResolver,
  FileRecordStore,
  GitChangeReader,
  NodeExecutor,
  SystemClock,
} from '@gemini-mcp/adapters-node';
import { findRealPath } from '@gemini-mcp/adapters-node/internal';
import {
  type ApprovalStore,
  CallQueue,
  type ContextResolver,
  type GeminiRunner,
  ModelHealth,
  type RunnerPreference,
  SessionRecords,
  type ToolProviderFactory,
} from '@gemini-mcp/core';
import { createNoFilesResolver } from '@gemini-mcp/core/internal';
import { runBudget } from './calls/run-budget.ts';
import { composeGemini } from './compose-gemini.ts';
import { embeddedFailureWords } from './embedded-failure-words.ts';
import { EmbeddedRunner } from './embedded-runner.ts';
import { createEmbeddedServers } from './embedded-servers.ts';
import { describeMissingRoot, findPlace, type GeminiPlace } from './find-place.ts';
import { Gemini } from './gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';
import type { GeminiParts } from './gemini-parts.ts';

const defaultTimeoutMs = 600_000;
const defaultRetentionMs = 30 * 86_400_000;

/** Approvals last for one run: a program has no command to revoke permanent ones. */
const nothingForGood: ApprovalStore = {
  list: () => Promise.resolve([]),
  add: () => Promise.resolve('A program that embeds Gemini keeps no consent.'),
  revoke: () => Promise.resolve(false),
};

/**
 * Creates a `Gemini` for the files of this machine. Calls use the Gemini API if it has a key or Vertex AI and supports the call, else the
 * installed Gemini CLI; `backend` selects one of them. Finds the user's logins and starts nothing before the first
 * call. Reads only files below the working directory and `roots`; a program started in a home directory or in `/`
 * reads nothing unless one of them is set. `mcpServers` start with the first call that
 * names them. Throws if the state directory is not safe or options contradict each other.
 */
export function createGemini(options: GeminiOptions = {}): Gemini {
  const { timeoutMs = defaultTimeoutMs, owner = '' } = options;
  const place = findPlace(options);
  const { runner, close } = chooseEmbeddedRunner(options, place);
  const servers = createEmbeddedServers(options, place);
  const parts = createParts(options, { place, runner, toolProviderFactory: servers?.toolProviderFactory });
  const defaults = {
    workingDirectory: place.workingDirectory,
    roots: place.noRootBecause === null ? [place.workingDirectory, ...place.roots].map(findRealPath) : [],
    budget: runBudget,
    timeoutMs,
    owner,
    isFile: chooseFileTest(options, place),
    // The capabilities of a custom runner are unknown.
    failureWords: options.runner === undefined ? embeddedFailureWords : undefined,
  };
  return new Gemini({
    parts,
    defaults,
    close: async () => {
      await Promise.all([close(), servers?.close()]);
    },
  });
}

type ChosenParts = {
  readonly place: GeminiPlace;
  readonly runner: GeminiRunner;
  readonly toolProviderFactory: ToolProviderFactory | undefined;
};

function createParts(options: GeminiOptions, { place, runner, toolProviderFactory }: ChosenParts): GeminiParts {
  const { environment, stateDirectory } = place;
  const {
    clock = new SystemClock(),
    models = null,
    maxRunning = 4,
    maxQueued = 1_000,
    retentionMs = defaultRetentionMs,
    queue = new CallQueue({ maxRunning, maxQueued }),
    sessions = new SessionRecords({ records: new FileRecordStore({ directory: stateDirectory, clock }), retentionMs }),
    executor = new NodeExecutor({ clock, stateDirectory, privateDirectories: [], environment, toolPaths: [] }),
  } = options;
  const resolver = chooseResolver(options, place);
  const health = new ModelHealth({ clock });
  const approvals = nothingForGood;
  return composeGemini({
    changes: new GitChangeReader({ clock, stateDirectory, privateDirectories: [] }),
    ...{ clock, resolver, runner, queue, sessions, executor, approvals, health, models, toolProviderFactory },
    budget: runBudget,
    offersLasting: false,
  });
}

type EmbeddedRunnerChoice = {
  readonly runner: GeminiRunner;
  /** Ends the processes of a runner of ours; one that the options bring is its owner's to close. */
  readonly close: () => Promise<void>;
};

function chooseEmbeddedRunner(options: GeminiOptions, place: GeminiPlace): EmbeddedRunnerChoice {
  const { runner, backend, clock, apiKey, allowsGoogleLogs } = options;
  if (runner !== undefined) {
    if (backend !== undefined) {
      throw new Error('createGemini takes a `backend` or a `runner`, not both: all calls go to the runner.');
    }
    return { runner, close: () => Promise.resolve() };
  }
  const own = new EmbeddedRunner({
    place,
    preference: parseBackend(backend),
    clock,
    apiKey: apiKey ?? null,
    allowsGoogleLogs,
  });
  return { runner: own, close: () => own.close() };
}

const backends: readonly RunnerPreference[] = ['auto', 'api', 'warm', 'headless'];

/** A program without types may give any value. */
function parseBackend(backend: RunnerPreference = 'auto'): RunnerPreference {
  if (!backends.includes(backend)) {
    throw new TypeError(
      `createGemini has no backend ${JSON.stringify(backend)}. The backends are: ${backends.join(', ')}.`,
    );
  }
  return backend;
}

function chooseResolver(options: GeminiOptions, place: GeminiPlace): ContextResolver {
  const { resolver, allowSensitive = false, clock = new SystemClock() } = options;
  const { workingDirectory, roots, stateDirectory, noRootBecause } = place;
  if (resolver !== undefined) {
    return resolver;
  }
  return noRootBecause === null
    ? new FileContextResolver({ workingDirectory, roots, privateDirectories: [stateDirectory], allowSensitive, clock })
    : createNoFilesResolver(describeMissingRoot(noRootBecause));
}

/** Whether a name belongs to a file, for our own resolver. A foreign one has its own names. */
function chooseFileTest(
  { resolver }: GeminiOptions,
  { workingDirectory, noRootBecause }: GeminiPlace,
): (path: string) => Promise<boolean> {
  if (resolver !== undefined || noRootBecause !== null) {
    return () => Promise.resolve(false);
  }
  return (path) =>
    stat(resolve(workingDirectory, path)).then(
      (found) => found.isFile(),
      () => false,
    );
}
