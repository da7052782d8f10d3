import { geminiPath } from './project-paths.ts';
import type { QuerySetup } from './query-setup.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { RunToEndOptions } from './run-to-end.ts';
import { prepareUsualHome } from './usual-home.ts';
import type { Workbench } from './workbench.ts';

/**
 * What a user would type: `gemini -p` in the project, the files by stdin, the usual relaunch. The model is named, because
 * otherwise the CLI first asks another one which to choose, and that would flatter us.
 */
export async function prepareUsualRun(
  workbench: Workbench,
  { project, query, environment }: QuerySetup,
  { input }: RecordedRun,
): Promise<RunToEndOptions> {
  return {
    file: process.execPath,
    arguments: [geminiPath, `--model=${query.model}`, `--prompt=${query.prompt}`],
    cwd: project,
    environment: { ...environment, ...(await prepareUsualHome(workbench)) },
    // Our own command at its beginning would be unknown there.
    input: input.slice(input.indexOf('\n') + 1),
  };
}
