import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { geminiPath } from './project-paths.ts';
import { headless, type QuerySetup } from './query-setup.ts';
import type { RunToEndOptions } from './run-to-end.ts';
import { startServer } from './server-client.ts';
import type { Workbench } from './workbench.ts';

/** What a server started the Gemini CLI with. */
export type RecordedRun = {
  /** The private directory of the run, which is gone by now; arguments and environment contain its name. */
  readonly directory: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
};

/** Where a run is kept: found by the home directory, the one thing of ours that a run is told. */
export function placesOfRecording(home: string): { readonly directory: string; readonly run: string } {
  return { directory: join(home, 'recorded-directory'), run: join(home, 'recorded-run.json') };
}

const recordRunProgram = fileURLToPath(new URL('./programs/record-run.js', import.meta.url));

/** Lets a server start a program that records how, in place of the CLI: whatever the runner does, the baseline does too. */
export async function recordRun(workbench: Workbench, setup: QuerySetup): Promise<RecordedRun> {
  const server = await startServer(workbench, headless(setup), recordRunProgram);
  await server.ask();
  await server.close();
  return JSON.parse(await readFile(placesOfRecording(setup.home).run, 'utf8'));
}

/** The recorded run with the Gemini CLI itself and nothing around it, in a fresh copy of the run's directory. */
export async function prepareReplay(
  workbench: Workbench,
  setup: QuerySetup,
  recorded: RecordedRun,
): Promise<RunToEndOptions> {
  const directory = await workbench.makeDirectory();
  await cp(placesOfRecording(setup.home).directory, directory, { recursive: true });
  const relocate = (text: string): string => text.replaceAll(recorded.directory, directory);
  const environment = Object.entries(recorded.environment).map(([name, value]) => [name, relocate(value)]);
  return {
    file: process.execPath,
    arguments: [geminiPath, ...recorded.arguments.map(relocate)],
    cwd: join(directory, 'workspace'),
    environment: Object.fromEntries(environment),
    input: recorded.input,
  };
}
