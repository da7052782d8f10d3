import { fileURLToPath } from 'node:url';
import { fakeGeminiApiProgram } from '@gemini-mcp/fake-gemini';
import { readLine } from './read-line.ts';
import type { Workbench } from './workbench.ts';

const slowApiProgram = fileURLToPath(new URL('./programs/slow-api.js', import.meta.url));
const pausingApiProgram = fileURLToPath(new URL('./programs/pausing-api.js', import.meta.url));

/**
 * Starts the offline Gemini API in a process of its own, so that it does not share this one's event loop. It answers at once,
 * or after `delayMs`. Resolves to the variables by which the Gemini CLI finds it. It lives until the workbench is closed.
 */
export function startOfflineApi(workbench: Workbench, delayMs = 0): Promise<Readonly<Record<string, string>>> {
  return startApi(workbench, delayMs === 0 ? [fakeGeminiApiProgram] : [slowApiProgram, String(delayMs)]);
}

export type Pauses = {
  /** From the request to the first piece of the answer. */
  readonly beginMs: number;
  /** From there to the second, which is the last. */
  readonly pauseMs: number;
};

/** The same with an API whose answers come in two pieces, the first of which is `A first piece, `. */
export function startPausingApi(workbench: Workbench, pauses: Pauses): Promise<Readonly<Record<string, string>>> {
  return startApi(workbench, [pausingApiProgram, String(pauses.beginMs), String(pauses.pauseMs)]);
}

async function startApi(workbench: Workbench, args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const api = workbench.start({ file: process.execPath, arguments: args, cwd: workbench.directory, environment: {} });
  const { environment }: { environment: Record<string, string> } = JSON.parse(await readLine(api.stdout));
  return environment;
}
