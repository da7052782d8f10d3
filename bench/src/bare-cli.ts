import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfflinePlace } from './offline-place.ts';
import { geminiPath } from './project-paths.ts';
import { startServer } from './stdio-server.ts';
import { type Program, pathOfProgram, type Workbench } from './workbench.ts';

/** What a server started the Gemini CLI with. */
export type RecordedRun = {
  /** The run's private directory, since removed; arguments and environment contain its name. */
  readonly directory: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
};

/** Where a run is recorded: found by the home directory, the only path of ours that a run knows. */
export function placesOfRecording(home: string): { readonly directory: string; readonly run: string } {
  return { directory: join(home, 'recorded-directory'), run: join(home, 'recorded-run.json') };
}

/** Makes a server start a recording program in place of the CLI, so that the baseline repeats whatever the runner does. */
export async function recordRun(workbench: Workbench, place: OfflinePlace): Promise<RecordedRun> {
  const server = await startServer(workbench, {
    project: place.project,
    environment: { ...place.environment, GEMINI_MCP_RUNNER: 'headless' },
    cliPath: pathOfProgram('record-run'),
  });
  await server.call('gemini_query', place.query);
  await server.close();
  return JSON.parse(await readFile(placesOfRecording(place.home).run, 'utf8'));
}

/** Runs the recorded run with the Gemini CLI itself and nothing around it, in a fresh copy of the run's directory. Resolves to its milliseconds. */
export async function replayRun(workbench: Workbench, { home }: OfflinePlace, recorded: RecordedRun): Promise<number> {
  const directory = await workbench.makeDirectory();
  await cp(placesOfRecording(home).directory, directory, { recursive: true });
  const relocate = (text: string): string => text.replaceAll(recorded.directory, directory);
  const environment = Object.entries(recorded.environment).map(([name, value]) => [name, relocate(value)]);
  const { durationMs, stdout } = await workbench.run({
    file: process.execPath,
    arguments: [geminiPath, ...recorded.arguments.map(relocate)],
    cwd: join(directory, 'workspace'),
    environment: Object.fromEntries(environment),
    input: recorded.input,
  });
  if (!stdout.includes('"status":"success"')) {
    throw new Error(`The bare gemini did not answer but said: ${stdout.slice(-500)}`);
  }
  return durationMs;
}

/**
 * What a user would type: `gemini -p` in the project, the files on stdin, with the CLI's second process. Names the model, because otherwise the CLI
 * first asks another model which one to choose, which would flatter us.
 */
export async function prepareTyped(workbench: Workbench, place: OfflinePlace): Promise<Program> {
  const { input } = await recordRun(workbench, place);
  const program = await geminiOf(workbench, place);
  // Our own command at its beginning would be unknown there.
  return program([`--prompt=${place.query.prompt}`], input.slice(input.indexOf('\n') + 1));
}

/** Begins a session of the CLI; resolves to the program that continues it. */
export async function prepareResume(workbench: Workbench, place: OfflinePlace): Promise<Program> {
  const program = await geminiOf(workbench, place);
  const sessionId = randomUUID();
  await workbench.run(program([`--session-id=${sessionId}`, '--prompt=Hello']));
  return program([`--resume=${sessionId}`, '--prompt=And then?']);
}

/** The CLI in a home with an API key, as a user has it. */
async function geminiOf(
  workbench: Workbench,
  { project, query, environment }: OfflinePlace,
): Promise<(flags: readonly string[], input?: string) => Program> {
  const home = await workbench.makeDirectory();
  const settings = { security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } } };
  await mkdir(join(home, '.gemini'));
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  return (flags, input = '') => ({
    file: process.execPath,
    arguments: [geminiPath, `--model=${query.model}`, ...flags],
    cwd: project,
    environment: { ...environment, HOME: home, GEMINI_CLI_HOME: home },
    input,
  });
}
