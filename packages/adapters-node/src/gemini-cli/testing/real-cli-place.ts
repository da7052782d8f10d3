import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plainRunSettings, type RunEvent, type RunOutcome, type RunRequest, type RunSettings } from '@gemini-mcp/core';
import {
  type FakeGeminiApi,
  geminiCliUnderTest,
  type RecordedRequest,
  startFakeGeminiApi,
} from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { SystemClock } from '../../clock/system-clock.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';

export const model = 'gemini-2.5-pro';

type RealCliRun = {
  readonly events: readonly RunEvent[];
  readonly outcome: RunOutcome;
  /** What the CLI asked the model for in this run. */
  readonly requests: readonly RecordedRequest[];
};

type RealCliSettings = Partial<RunSettings> &
  Pick<Partial<RunRequest>, 'input' | 'model'> &
  Pick<Partial<CliGeminiRunnerOptions>, 'roots' | 'trustedDirectories' | 'privateDirectories'> & {
    readonly cli?: string;
    readonly path?: string;
    /** Where the runs lie, `runs` below the root by default. */
    readonly runs?: string;
  };

/** A directory of its own, in which the real CLI runs over a faked API. */
type RealCliPlace = {
  readonly root: string;
  readonly at: (...names: readonly string[]) => string;
  /** Writes files below the root: paths with `/` to contents. */
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly run: (settings: RealCliSettings) => Promise<RealCliRun>;
  /** Removes everything. Resolves to what runs had left behind. */
  readonly dispose: () => Promise<readonly string[]>;
};

type GivenRealCli = {
  readonly api: FakeGeminiApi;
  readonly place: RealCliPlace;
};

/** Gives the tests of a file one faked API, and each of them a place of its own, in which its runs have to leave nothing. */
export function useRealCliPlace(): GivenRealCli {
  let api: FakeGeminiApi;
  let place: RealCliPlace;

  beforeAll(async () => {
    api = await startFakeGeminiApi();
  });

  afterAll(() => api.close());

  beforeEach(async () => {
    place = await createRealCliPlace(api);
  });

  afterEach(async () => expect(await place.dispose()).toEqual([]));

  // Getters: the hooks have not run yet when a test file takes this.
  return {
    get api() {
      return api;
    },
    get place() {
      return place;
    },
  };
}

async function createRealCliPlace(api: FakeGeminiApi): Promise<RealCliPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'run-settings-')));
  const at = (...names: readonly string[]): string => join(root, ...names);
  return {
    root,
    at,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
    },
    run: (settings) => run(root, api, settings),
    dispose: async () => {
      const left = await readdir(at('runs')).catch(() => []);
      await rm(root, { recursive: true });
      return left;
    },
  };
}

async function run(
  root: string,
  api: FakeGeminiApi,
  {
    cli = geminiCliUnderTest,
    path,
    runs = join(root, 'runs'),
    roots = [],
    trustedDirectories = [],
    privateDirectories = [],
    ...request
  }: RealCliSettings,
): Promise<RealCliRun> {
  const clock = new SystemClock();
  const runner = new CliGeminiRunner({
    clock,
    environment: {
      PATH: path ?? process.env['PATH'],
      HOME: root,
      GEMINI_MCP_CLI: cli,
      ...api.environment(),
    },
    runsDirectory: runs,
    userDirectory: join(root, '.gemini'),
    roots,
    trustedDirectories,
    privateDirectories,
  });
  const before = api.requests.length;
  const { model: chosen = model, input = 'Hi', ...settings } = request;
  const whole = {
    model: chosen,
    input,
    deadlineAtMs: clock.now() + 40_000,
    settings: { ...plainRunSettings, ...settings },
  };
  const events: RunEvent[] = [];
  for await (const event of runner.run(whole, new AbortController().signal)) {
    events.push(event);
  }
  const last = events.at(-1);
  if (last?.type !== 'outcome') {
    throw new Error('The last event is not the outcome.');
  }
  return { events, outcome: last.outcome, requests: api.requests.slice(before) };
}

/** What the tools answered, in order, as JSON. */
export function resultsIn(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.slice(1).map(({ contents }) => JSON.stringify(contents.at(-1)?.parts));
}
