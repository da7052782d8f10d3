import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PoolReport,
  SystemClock,
  WarmGeminiRunner,
  type WarmGeminiRunnerOptions,
} from '@gemini-mcp/adapters-node';
import type { SoakPhase } from './soak-phase.ts';

type SoakRunner = Pick<SoakPhase, 'runner' | 'runsDirectory' | 'reports'>;

/** A directory for all that a phase writes. */
export async function createSoakDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-soak-')));
}

export function removeSoakDirectory(root: string): Promise<void> {
  return rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** A warm runner that has nothing of its surroundings but the search path. */
export function createSoakRunner(
  root: string,
  options: Pick<WarmGeminiRunnerOptions, 'environment' | 'limits'>,
): SoakRunner {
  // Counted, not kept: what grows is to be what is tested.
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
