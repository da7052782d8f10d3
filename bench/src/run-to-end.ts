import { text } from 'node:stream/consumers';
import type { Program, Workbench } from './workbench.ts';
import { killGroup } from './workbench.ts';

export type RunToEndOptions = Program & {
  readonly input: string;
};

export type EndedRun = {
  /** From before the start to the end of the process and of its output. */
  readonly durationMs: number;
  readonly stdout: string;
};

const patienceMs = 120_000;

/** Runs a process to its end. Rejects when it fails or takes more than two minutes. */
export async function runToEnd(workbench: Workbench, { input, ...program }: RunToEndOptions): Promise<EndedRun> {
  const startedAt = performance.now();
  const child = workbench.start(program);
  const timer = setTimeout(() => void killGroup(child), patienceMs);
  child.stdin.end(input);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(performance.now()));
  });
  const [endedAt, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  clearTimeout(timer);
  if (child.exitCode !== 0) {
    const how = child.signalCode ?? `exit code ${child.exitCode}`;
    throw new Error(`${[program.file, ...program.arguments].join(' ')} failed (${how}): ${stderr.slice(-2_000)}`);
  }
  return { durationMs: endedAt - startedAt, stdout };
}
