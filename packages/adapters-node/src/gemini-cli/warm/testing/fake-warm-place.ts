import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GeminiFailure, plainRunSettings, type RunEnd, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import { type AcpProcessScript, createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { LeapingClock } from '@gemini-mcp/port-contracts';
import { endOfEvents } from '../../testing/end-of-events.ts';
import { processesOf } from '../../testing/processes-of.ts';
import type { PoolEndReason, PoolReport } from '../pool/pool-report.ts';
import { WarmGeminiRunner, type WarmGeminiRunnerOptions } from '../warm-gemini-runner.ts';
import type { WarmLimits } from '../warm-limits.ts';

/** The login of the processes. */
export const apiKey = 'AIza-no-key-of-anybody-0123456789';

type Asked = {
  readonly text: string;
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  /** Null for an answer. */
  readonly failure: GeminiFailure['kind'] | null;
};

type AskOptions = Partial<Pick<RunRequest, 'model' | 'owner' | 'history' | 'mayContinue'>> & {
  readonly input?: string;
  /** A separate kind of process for each run. */
  readonly systemPrompt?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
};

export type FakeWarmPlace = {
  /** The executable of the fake CLI. */
  readonly directory: string;
  readonly clock: LeapingClock;
  readonly runner: WarmGeminiRunner;
  readonly reports: readonly PoolReport[];
  /** Why processes have ended so far. */
  endReasons(): readonly PoolEndReason[];
  /** The reports of ended processes, and of calls that moved to another process. */
  details(): readonly string[];
  ask(options?: AskOptions): Promise<Asked>;
  /** Resolves to the first matching report, past or future. */
  whenReported(fits: (report: PoolReport) => boolean): Promise<PoolReport>;
  /** The ids of the live processes. */
  processes(): readonly number[];
  /** Processes, files and sleeps, without Node's compile cache. */
  leftovers(): Promise<readonly string[]>;
  /** The paths in the directories of processes, without Node's compile cache. */
  files(): Promise<readonly string[]>;
  /** Closes the runner, removes everything, and resolves to the leftovers. */
  dispose(): Promise<readonly string[]>;
};

export type FakeWarmPlaceOptions = {
  /** The scripts of the first process, the second, and so on; the last one applies to all further processes. By default as the real CLI. */
  readonly processes?: readonly [AcpProcessScript, ...AcpProcessScript[]];
  readonly limits?: Partial<WarmLimits>;
  readonly clock?: LeapingClock;
  /** Variables of the server, besides the required ones. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly options?: Partial<WarmGeminiRunnerOptions>;
};

/** A warm runner over a fake CLI, with everything in one directory. Opens spare sessions only if the limits ask for some. */
export async function createFakeWarmPlace(given: FakeWarmPlaceOptions = {}): Promise<FakeWarmPlace> {
  const { processes = [{}], limits, clock = new LeapingClock(), variables, options } = given;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'fake-warm-')));
  const directory = join(root, 'cli');
  const cli = await createFakeGeminiCli({ directory, acp: { processes } });
  const { onPool, ...log } = createPoolLog();
  const runner = new WarmGeminiRunner({
    clock,
    environment: { PATH: '/usr/bin:/bin', HOME: root, GEMINI_MCP_CLI: cli, GEMINI_API_KEY: apiKey, ...variables },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
    limits: { spareSessions: 0, ...limits },
    onPool,
    ...options,
  });
  return {
    ...log,
    directory,
    clock,
    runner,
    ask: (asking = {}) => ask(runner, clock.now(), asking),
    processes: () => processesOf(root),
    leftovers: () => leftoversOf(root, clock),
    files: async () => {
      const names = await readdir(join(root, 'runs'), { recursive: true }).catch(() => []);
      return names.filter((name) => !name.startsWith('compiled'));
    },
    dispose: async () => {
      await runner.close();
      const left = await leftoversOf(root, clock);
      await rm(root, { recursive: true });
      return left;
    },
  };
}

type PoolLog = Pick<FakeWarmPlace, 'reports' | 'endReasons' | 'details' | 'whenReported'> & {
  readonly onPool: (report: PoolReport) => void;
};

function createPoolLog(): PoolLog {
  const reports: PoolReport[] = [];
  const lookers = new Set<() => void>();
  return {
    reports,
    onPool: (report) => {
      reports.push(report);
      for (const look of lookers) {
        look();
      }
    },
    endReasons: () => reports.flatMap((report) => (report.type === 'ended' ? report.reason : [])),
    details: () => reports.flatMap((report) => ('detail' in report ? report.detail : [])),
    whenReported: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = reports.find(fits);
          if (found !== undefined) {
            lookers.delete(look);
            resolve(found);
          }
        };
        lookers.add(look);
        look();
      }),
  };
}

async function leftoversOf(root: string, clock: LeapingClock): Promise<readonly string[]> {
  const files = await readdir(join(root, 'runs')).catch(() => []);
  return [
    ...files.filter((name) => name !== 'compiled'),
    ...processesOf(root).map((pid) => `process ${pid}`),
    ...Array.from({ length: clock.sleeping }, () => 'a sleep'),
  ];
}

async function ask(runner: WarmGeminiRunner, nowMs: number, options: AskOptions): Promise<Asked> {
  const { input = 'Hi', systemPrompt = null, timeoutMs = 30_000, signal, onEvent, ...more } = options;
  const settings = { ...plainRunSettings, systemPrompt };
  const request = { model: 'gemini-2.5-pro', input, settings, deadlineAtMs: nowMs + timeoutMs, ...more };
  const events: RunEvent[] = [];
  for await (const event of runner.run(request, signal ?? new AbortController().signal)) {
    events.push(event);
    onEvent?.(event);
  }
  const end = endOfEvents(events);
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text, events, end, failure: end.type === 'failure' ? end.failure.kind : null };
}
