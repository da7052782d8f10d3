import { fileURLToPath } from 'node:url';
import { runToEnd } from '../run-to-end.ts';
import type { Workbench } from '../workbench.ts';
import type { HttpTarget } from './mcp-wire-client.ts';

const program = fileURLToPath(new URL('../programs/http-load.js', import.meta.url));

export type LoadPlan = {
  readonly target: HttpTarget;
  /** Each sends its next request when it has the answer to the last one. */
  readonly clients: number;
  /** Requests that come before those that count. */
  readonly warmUpMs: number;
  readonly durationMs: number;
};

export type LoadReport = {
  /** Of those that count. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With those that do not count. */
  readonly allRequests: number;
};

/** Lets clients in a process of their own call a server for a while. Rejects when one of their calls fails. */
export async function loadServer(workbench: Workbench, plan: LoadPlan): Promise<LoadReport> {
  const { stdout } = await runToEnd(workbench, {
    file: process.execPath,
    arguments: [program, JSON.stringify(plan)],
    cwd: workbench.directory,
    environment: {},
    input: '',
  });
  return JSON.parse(stdout);
}
