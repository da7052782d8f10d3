import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type GeminiFailure,
  type GeminiRunner,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunRequest,
  type RunSettings,
} from '@gemini-mcp/core';
import { type CliWay, geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import {
  type OfflineGeminiApi,
  type RecordedRequest,
  startOfflineGeminiApi,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { SystemClock } from '../../processes/system-clock.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import { WarmGeminiRunner, type WarmGeminiRunnerOptions } from '../warm/warm-gemini-runner.ts';
import type { WarmLimits } from '../warm/warm-limits.ts';
import { endOfEvents, failureOfEvents } from './end-of-events.ts';

export const model = 'gemini-2.5-pro';

type RealCliRun = {
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  /** Null for an answer. */
  readonly failure: GeminiFailure | null;
  /** The CLI's model requests in this run. */
  readonly requests: readonly RecordedRequest[];
};

type RealCliSettings = Partial<RunSettings> &
  Pick<Partial<RunRequest>, 'input' | 'model' | 'history' | 'media' | 'mayContinue'> & {
    /** The run's project files. */
    readonly directory?: string;
  } & RunnerSettings;

type RunnerSettings = Pick<Partial<CliGeminiRunnerOptions>, 'roots' | 'trustedDirectories' | 'privateDirectories'> & {
  readonly cli?: string;
  readonly path?: string;
  /** The directory of the runs, `runs` below the root by default. */
  readonly runs?: string;
  /** For the warm runner. */
  readonly limits?: Partial<WarmLimits>;
};

type WholeRunnerSettings = Required<Omit<RunnerSettings, 'path'>> & { readonly path: string | undefined };

/** A runner, and how to end the processes that it keeps between runs. */
type OpenRunner = { readonly runner: GeminiRunner; readonly close: () => Promise<void> };

/** A separate directory for the real CLI over a fake API. */
export type RealCliPlace = {
  readonly root: string;
  readonly at: (...names: readonly string[]) => string;
  /** Writes files below the root: paths with `/` to contents. */
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs with equal options for the runner share one runner. */
  readonly run: (settings: RealCliSettings, signal?: AbortSignal) => Promise<RealCliRun>;
  /** The runner for runs without options of their own. */
  readonly runner: () => GeminiRunner;
  /** Ends the runners and removes everything. Resolves to the leftovers of the runs. */
  readonly dispose: () => Promise<readonly string[]>;
};

type GivenRealCli = {
  readonly api: OfflineGeminiApi;
  readonly place: RealCliPlace;
};

/**
 * Gives the tests of a file one fake API, and each test its own directory, where its runs must leave nothing. With `all` the
 * tests share one directory, and so the warm processes, each of which takes two seconds of a processor to start.
 */
export function useRealCliPlace(kind: CliWay = 'headless', placeFor: 'each' | 'all' = 'each'): GivenRealCli {
  const [before, after] = placeFor === 'all' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  let api: OfflineGeminiApi;
  let place: RealCliPlace;

  beforeAll(async () => {
    api = await startOfflineGeminiApi();
  });

  afterAll(() => api.close());

  before(async () => {
    place = await createRealCliPlace(kind, api);
  });

  after(async () => expect(await place.dispose()).toEqual([]));

  // Getters: the hooks have not run yet when a test file destructures this.
  return {
    get api() {
      return api;
    },
    get place() {
      return place;
    },
  };
}

async function createRealCliPlace(kind: CliWay, api: OfflineGeminiApi): Promise<RealCliPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'run-settings-')));
  const at = (...names: readonly string[]): string => join(root, ...names);
  const runners = new Map<string, OpenRunner>();
  const usual: WholeRunnerSettings = {
    cli: geminiCliUnderTest,
    path: process.env['PATH'],
    runs: at('runs'),
    roots: [],
    trustedDirectories: [],
    privateDirectories: [],
    limits: {},
  };
  const runnerFor = (settings: WholeRunnerSettings): GeminiRunner => {
    const key = JSON.stringify(settings);
    const open = runners.get(key) ?? openRunner(kind, runnerOptions(root, api, settings));
    runners.set(key, open);
    return open.runner;
  };
  return {
    root,
    at,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
    },
    run: ({ cli = usual.cli, path = usual.path, runs = usual.runs, ...settings }, signal) => {
      const { roots = [], trustedDirectories = [], privateDirectories = [], limits = {}, ...request } = settings;
      const runner = runnerFor({ cli, path, runs, roots, trustedDirectories, privateDirectories, limits });
      return run(runner, api, request, signal);
    },
    runner: () => runnerFor(usual),
    dispose: async () => {
      await Promise.all([...runners.values()].map(({ close }) => close()));
      const left = await readdir(at('runs')).catch(() => []);
      await rm(root, { recursive: true });
      // Node's compile cache of the CLI, from Node 22 on, is meant to stay.
      return left.filter((name) => name !== 'compiled');
    },
  };
}

function openRunner(kind: CliWay, options: WarmGeminiRunnerOptions): OpenRunner {
  if (kind === 'headless') {
    return { runner: new CliGeminiRunner(options), close: async () => undefined };
  }
  const runner = new WarmGeminiRunner(options);
  return { runner, close: () => runner.close() };
}

function runnerOptions(
  root: string,
  api: OfflineGeminiApi,
  { cli, path, runs, ...more }: WholeRunnerSettings,
): WarmGeminiRunnerOptions {
  return {
    clock: new SystemClock(),
    environment: { PATH: path, HOME: root, GEMINI_MCP_CLI: cli, ...api.environment() },
    runsDirectory: runs,
    userDirectory: join(root, '.gemini'),
    ...more,
  };
}

async function run(
  runner: GeminiRunner,
  api: OfflineGeminiApi,
  request: Omit<RealCliSettings, keyof RunnerSettings>,
  signal: AbortSignal = new AbortController().signal,
): Promise<RealCliRun> {
  const before = api.requests.length;
  const { model: chosen = model, input = 'Hi', history = [], media = [], ...others } = request;
  const { mayContinue = false, directory, ...settings } = others;
  const whole: RunRequest = {
    model: chosen,
    input,
    deadlineAtMs: new SystemClock().now() + 40_000,
    history,
    media,
    mayContinue,
    settings: { ...plainRunSettings, ...settings },
    ...(directory !== undefined && { directory: { path: directory, isOptional: false } }),
  };
  const events: RunEvent[] = [];
  for await (const event of runner.run(whole, signal)) {
    events.push(event);
  }
  return { events, end: endOfEvents(events), failure: failureOfEvents(events), requests: api.requests.slice(before) };
}

/** The results of the tools, in order, as JSON. */
export function resultsIn(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.slice(1).map(({ contents }) => JSON.stringify(contents.at(-1)?.parts));
}
