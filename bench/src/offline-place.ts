import { join } from 'node:path';
import { generateRepository, type RepositorySize } from './generate-repository.ts';
import { ownProgram, readLine, type Workbench } from './workbench.ts';

/** A project to ask about, a home, and the offline Gemini API in a process of its own. */
export type OfflinePlace = {
  readonly home: string;
  readonly project: string;
  /** For a server: it calls the offline API, by `runner`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly query: { readonly prompt: string; readonly directories: readonly string[]; readonly model: string };
};

/** A few files, quick to read and send. */
export const smallSize: RepositorySize = { files: 3, bytes: 6_000 };

/** Prompts that the offline API answers with many pieces, and with the time at the first piece. */
export const longAnswer = { prompt: 'Answer at length.', pieces: 20_000 } as const;
export const stampedAnswer = { prompt: 'What time is it?', mark: 'sent-at ' } as const;

/** `runner` is the server's setting: `api`, `warm` or `headless`. */
export async function openOfflinePlace(
  workbench: Workbench,
  size: RepositorySize,
  runner: 'api' | 'warm' | 'headless',
): Promise<OfflinePlace> {
  const home = await workbench.makeDirectory();
  const model = runner === 'api' ? 'gemini-3.8-flash' : 'gemini-3.1-pro-preview';
  return {
    home,
    project: await generateRepository(workbench, size),
    environment: { ...serverEnvironment(home), ...(await startOfflineApi(workbench)), GEMINI_MCP_RUNNER: runner },
    query: { prompt: 'What is this about?', directories: ['.'], model },
  };
}

/**
 * The environment of a server: the variables that MCP clients pass on, with a home of our own. Leaves out the rest of this shell's environment,
 * so that the figures do not depend on it.
 */
export function serverEnvironment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, GEMINI_MCP_STATE_DIR: join(home, 'state') };
}

/** Resolves to the variables with the API's address for the server and the Gemini CLI. It runs until the workbench is closed. */
export async function startOfflineApi(workbench: Workbench): Promise<Readonly<Record<string, string>>> {
  const { environment } = JSON.parse(await readLine(workbench.start(ownProgram('offline-api')).stdout));
  return environment;
}

/** Milliseconds since the epoch, finer than `Date.now()`. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
