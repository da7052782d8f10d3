import { fileURLToPath } from 'node:url';
import { fakeGeminiApiProgram } from '@gemini-mcp/fake-gemini';
import { readLine } from './read-line.ts';
import type { Workbench } from './workbench.ts';

const slowApiProgram = fileURLToPath(new URL('./programs/slow-api.js', import.meta.url));

/**
 * Starts the offline Gemini API in a process of its own, so that it does not share this one's event loop. It answers at once,
 * or after `delayMs`. Resolves to the variables by which the Gemini CLI finds it. It lives until the workbench is closed.
 */
export async function startOfflineApi(workbench: Workbench, delayMs = 0): Promise<Readonly<Record<string, string>>> {
  const api = workbench.start({
    file: process.execPath,
    arguments: delayMs === 0 ? [fakeGeminiApiProgram] : [slowApiProgram, String(delayMs)],
    cwd: workbench.directory,
    environment: {},
  });
  const { environment }: { environment: Record<string, string> } = JSON.parse(await readLine(api.stdout));
  return environment;
}
