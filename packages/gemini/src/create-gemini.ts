import { FileRecordStore, NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { findRealPath } from '@gemini-mcp/adapters-node/internal';
import {
  type ApprovalStore,
  CallQueue,
  type GeminiRunner,
  ModelHealth,
  SessionRecords,
  type ToolProviderFactory,
} from '@gemini-mcp/core';
import { runBudget } from './calls/run-budget.ts';
import { chooseEmbeddedRunner, chooseFileTest, chooseResolver } from './choose-ports.ts';
import { composeGemini } from './compose-gemini.ts';
import { embeddedFailureWords } from './embedded-failure-words.ts';
import { createEmbeddedServers } from './embedded-servers.ts';
import { findPlace, type GeminiPlace } from './find-place.ts';
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
    ...{ clock, resolver, runner, queue, sessions, executor, approvals, health, models, toolProviderFactory },
    budget: runBudget,
    offersLasting: false,
  });
}
