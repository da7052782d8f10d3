import { randomUUID } from 'node:crypto';
import { geminiPath } from './project-paths.ts';
import type { QuerySetup } from './query-setup.ts';
import { type RunToEndOptions, runToEnd } from './run-to-end.ts';
import { prepareUsualHome } from './usual-home.ts';
import type { Workbench } from './workbench.ts';

/** Begins a session of the CLI; resolves to what goes on with it. */
export async function prepareResume(workbench: Workbench, setup: QuerySetup): Promise<RunToEndOptions> {
  const home = await prepareUsualHome(workbench);
  const gemini = (...flags: readonly string[]): RunToEndOptions => ({
    file: process.execPath,
    arguments: [geminiPath, `--model=${setup.query.model}`, ...flags],
    cwd: setup.project,
    environment: { ...setup.environment, ...home },
    input: '',
  });
  const sessionId = randomUUID();
  await runToEnd(workbench, gemini(`--session-id=${sessionId}`, '--prompt=Hello'));
  return gemini(`--resume=${sessionId}`, '--prompt=And then?');
}
