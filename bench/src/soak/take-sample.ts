import { readdir, readFile } from 'node:fs/promises';
import type { SoakPhase } from './soak-phase.ts';

/** The resources in use between two rounds of calls. */
export type Sample = {
  readonly processes: number;
  /** Open in this process. */
  readonly descriptors: number;
  /** Files and directories below the directory for runs, without what Node has compiled. */
  readonly files: number;
  readonly ownRssBytes: number;
  /** JavaScript memory in use; after a garbage collection if Node runs with `--expose-gc`. */
  readonly ownHeapBytes: number;
  /** Of all processes of the CLI together. */
  readonly childRssBytes: number;
};

export async function takeSample({ runsDirectory }: Pick<SoakPhase, 'runsDirectory'>): Promise<Sample> {
  // Garbage does not count as growth; without the flag the figure is less steady.
  globalThis.gc?.();
  const pids = await processesOf(runsDirectory);
  const rss = await Promise.all(pids.map(rssBytesOf));
  const names = await readdir(runsDirectory, { recursive: true }).catch(() => []);
  return {
    processes: pids.length,
    descriptors: (await readdir('/proc/self/fd')).length,
    files: names.filter((name) => !name.startsWith('compiled')).length,
    ownHeapBytes: process.memoryUsage().heapUsed,
    ownRssBytes: await rssBytesOf(process.pid),
    childRssBytes: rss.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** By their environment, which descendants inherit. */
async function processesOf(runsDirectory: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')));
  return pids.filter((_, index) => environments[index]?.includes(`GEMINI_CLI_HOME=${runsDirectory}`));
}

async function rssBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}
