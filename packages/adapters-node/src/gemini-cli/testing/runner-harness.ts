import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeminiRunner } from '@gemini-mcp/core';
import { geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import type { GeminiRunnerHarness } from '@gemini-mcp/port-contracts';
import { functionAnswersIn, LeapingClock, PlainLoopbackToolServer, situationReply } from '@gemini-mcp/port-contracts';
import {
  describeStoredRequests,
  type OfflineGeminiApi,
  type RecordedRequest,
  startOfflineGeminiApi,
} from '@gemini-mcp/port-contracts/offline-api';
import type { CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { carriedBy, type MessageLayout, messageIn } from './carried-context.ts';
import { makeDirectories } from './made-directories.ts';
import { bringsResults, lastTextOf, toolSessionIn, withModelToolNames } from './model-tool-requests.ts';
import { killProcessesOf, processesOf } from './processes-of.ts';

/** The traces of a runner at one moment. */
type RunnerTraces = {
  /** Paths of all files in its directories, relative to their common parent. */
  readonly files: readonly string[];
  readonly processes: readonly string[];
  /** Pending sleeps on its clock. */
  readonly sleeps: readonly string[];
  /** Kinds of resources that keep this process alive for the runner: timers, pipes, child processes. */
  readonly handles: readonly string[];
};

export type RunnerHarnessOptions<Runner extends GeminiRunner> = {
  readonly create: (options: CliGeminiRunnerOptions) => Runner;
  /** Ends the processes that the runner keeps between runs. Does nothing by default. */
  readonly close?: (runner: Runner) => Promise<void>;
  readonly layout: MessageLayout;
  /** Selects the traces left over from runs. All by default: for a runner that keeps nothing between runs. */
  readonly leftoversIn?: (traces: RunnerTraces) => readonly string[];
};

/** The real CLI over a fake API, with everything in one directory, for the runner contract. */
export async function createRunnerHarness<Runner extends GeminiRunner>(
  options: RunnerHarnessOptions<Runner>,
): Promise<GeminiRunnerHarness> {
  const place = await openPath(options);
  let remains: readonly string[] = [];
  return {
    ...place.open(),
    dispose: async () => {
      remains = await place.close();
    },
    remains: async () => remains,
  };
}

export type SharedRunnerHarness = {
  /** A harness that observes only what arrives from now on. */
  readonly create: () => Promise<GeminiRunnerHarness>;
  /** Closes the runner, removes everything, and resolves to the leftovers. */
  readonly close: () => Promise<readonly string[]>;
};

/** As above, with one place for all tests of a file: for a runner that keeps processes that are slow to start. */
export function shareRunnerHarness<Runner extends GeminiRunner>(
  options: RunnerHarnessOptions<Runner>,
): SharedRunnerHarness {
  let place: Promise<RunnerPlace> | null = null;
  return {
    create: async () => {
      place ??= openPath(options);
      return { ...(await place).open(), dispose: async () => undefined };
    },
    close: async () => (await place)?.close() ?? [],
  };
}

type RunnerPlace = {
  readonly open: () => Omit<GeminiRunnerHarness, 'dispose'>;
  readonly close: () => Promise<readonly string[]>;
};

async function openPath<Runner extends GeminiRunner>(options: RunnerHarnessOptions<Runner>): Promise<RunnerPlace> {
  const { create, close = async () => undefined, layout, leftoversIn = allOf } = options;
  const api = await startOfflineGeminiApi();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-runner-')));
  const directories = await makeDirectories();
  const clock = new LeapingClock();
  const handlesBefore = listHandles();
  const traces = (): Promise<RunnerTraces> => listTraces(root, clock, handlesBefore);
  const loopbackToolServer = new PlainLoopbackToolServer({ clock });
  const roots = [directories.outer, directories.other];
  const runner = create({ ...runnerOptions(root, clock, api), loopbackToolServer, roots });
  return {
    open: () => ({
      ...watchApi(api, layout),
      runner,
      arrange: (choose) =>
        api.reply((request) =>
          situationReply(
            withModelToolNames(choose(messageOf(request, layout))),
            bringsResults(request) ? functionAnswersIn(request).length : 0,
          ),
        ),
      directories,
      hidesStreamErrors: true,
      ...(process.platform === 'linux' && { kill: async () => killProcessesOf(root) }),
      now: () => clock.now(),
      pass: async (durationMs) => clock.leap(durationMs),
      leftovers: async () => [...leftoversIn(await traces()), ...describeStoredRequests(api)],
    }),
    close: async () => {
      await close(runner);
      const remains = allOf(await traces());
      await Promise.all([api.close(), loopbackToolServer.close()]);
      await rm(root, { recursive: true, force: true });
      await directories.remove();
      return remains;
    },
  };
}

/** Requests that arrive at the API from now on. */
function watchApi(
  api: OfflineGeminiApi,
  layout: MessageLayout,
): Pick<GeminiRunnerHarness, 'received' | 'whenReceived' | 'carried' | 'toolSession'> {
  const before = api.requests.length;
  const generations = api.requests.filter(({ method }) => /generateContent$/i.test(method)).length;
  const streamed = (): readonly RecordedRequest[] =>
    api.requests.slice(before).filter(({ method }) => method === 'streamGenerateContent');
  const answered = (): readonly RecordedRequest[] => streamed().filter((request) => !bringsResults(request));
  return {
    received: () => answered().map((request) => messageIn(request, layout)),
    whenReceived: (count) => api.whenRequested(generations + count),
    carried: () => answered().map((request) => carriedBy(request, layout)),
    toolSession: toolSessionIn(streamed),
  };
}

function messageOf(request: RecordedRequest, layout: MessageLayout): string {
  return bringsResults(request) ? layout.messageIn(lastTextOf(request)) : messageIn(request, layout);
}

function runnerOptions(root: string, clock: LeapingClock, api: OfflineGeminiApi): CliGeminiRunnerOptions {
  return {
    clock,
    environment: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_CLI: geminiCliUnderTest, ...api.environment() },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
  };
}

async function listTraces(root: string, clock: LeapingClock, handlesBefore: readonly string[]): Promise<RunnerTraces> {
  const files = await readdir(root, { recursive: true }).catch(() => []);
  const sleeps = Array.from({ length: clock.sleeping }, () => 'a sleep');
  return {
    // Created for the first run, and empty between runs except for Node's compile cache of the CLI.
    files: files.filter((name) => name !== 'runs' && !name.startsWith(join('runs', 'compiled'))),
    processes: processesOf(root).map((pid) => `process ${pid}`),
    sleeps,
    handles: withoutEach(listHandles(), [...handlesBefore, ...sleeps.map(() => 'Timeout')]),
  };
}

/** Without sockets: those of the fake API, which CLIs connect to, are in this process too. */
function listHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => ['Timeout', 'PipeWrap', 'ProcessWrap'].includes(kind));
}

/** The rest of a list after removing each item of another list once. */
function withoutEach(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...list];
  for (const other of others) {
    const index = left.indexOf(other);
    left.splice(index === -1 ? left.length : index, 1);
  }
  return left;
}

function allOf({ files, processes, sleeps, handles }: RunnerTraces): readonly string[] {
  return [...files, ...processes, ...sleeps, ...handles];
}
