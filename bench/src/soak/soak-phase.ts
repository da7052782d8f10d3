import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PoolReport,
  SystemClock,
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
} from '@gemini-mcp/adapters-node';

/** Calls of one kind, offered to one runner. */
export type SoakPhase = {
  readonly name: string;
  readonly calls: number;
  /** How many calls run at the same time. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly runner: WarmGeminiRunner;
  /** Holds one private directory for each process, and the compiled code of Node. */
  readonly runsDirectory: string;
  /** How often the pool reported each thing of its processes so far. */
  readonly reports: ReadonlyMap<string, number>;
  /** The answer to a question, and the only right one. */
  readonly answerTo: (question: string) => string;
  /** Removes the files of the phase, after closing the runner. */
  readonly dispose: () => Promise<void>;
};

/** A directory for all that a phase writes. */
export async function createSoakDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-soak-')));
}

export function removeSoakDirectory(root: string): Promise<void> {
  return rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** A warm runner that gets only the search path from its environment. */
export function createSoakRunner(
  root: string,
  options: Pick<WarmGeminiRunnerOptions, 'environment' | 'limits'>,
): Pick<SoakPhase, 'runner' | 'runsDirectory' | 'reports'> {
  // Counted, not kept: only the tested program may grow.
  const reports = new Map<string, number>();
  const count = (report: PoolReport): void => {
    const name = report.type === 'ended' ? report.reason : report.type;
    reports.set(name, (reports.get(name) ?? 0) + 1);
  };
  const runsDirectory = join(root, 'runs');
  const runner = new WarmGeminiRunner({
    ...options,
    clock: new SystemClock(),
    environment: { PATH: process.env['PATH'], HOME: root, ...options.environment },
    runsDirectory,
    userDirectory: join(root, '.gemini'),
    onPool: count,
  });
  return { runner, runsDirectory, reports };
}
