import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FakeCliScenario } from './scenario.ts';

/** A fake `gemini` for any use that needs no script: it gives one short answer, and its version. */
export const fakeGeminiCliPath: string = fileURLToPath(new URL('../../bin/fake-gemini.mjs', import.meta.url));

export type CreateFakeGeminiCliOptions = {
  readonly scenario: FakeCliScenario;
  /** Holds the executable, the log of its runs and the files of its steps. The caller removes it. */
  readonly directory: string;
};

/**
 * Writes an executable that plays a scenario, and resolves to its path. The scenario is baked in: no environment variable
 * and no argument selects it. Called again for a directory it replaces the scenario; the runs go on counting.
 */
export async function createFakeGeminiCli({ scenario, directory }: CreateFakeGeminiCliOptions): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'gemini');
  const unfinished = join(directory, 'gemini.unfinished');
  await writeFile(unfinished, launcher({ scenario, directory }));
  await chmod(unfinished, 0o755);
  await rename(unfinished, path);
  return path;
}

/** Valid as a CommonJS file and as a module: what its directory makes of it does not matter. */
function launcher(options: CreateFakeGeminiCliOptions): string {
  const program = JSON.stringify(pathToFileURL(fakeGeminiCliPath).href);
  return [
    `#!${process.execPath}`,
    `import(${program}).then(({ runFakeGemini }) => runFakeGemini(${JSON.stringify(options)}));`,
    '',
  ].join('\n');
}
