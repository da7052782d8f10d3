import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FakeAcpScenario } from './acp-scenario.ts';
import { cliAnswer } from './cli-runs.ts';
import type { FakeCliScenario } from './scenario.ts';

/** A fake `gemini` without a script: it gives one short answer, and its version. */
export const fakeGeminiCliPath: string = fileURLToPath(new URL('../../bin/fake-gemini.mjs', import.meta.url));

const fakeAcpPath: string = fileURLToPath(new URL('../../src/fake-cli/acp/run-fake-acp.mjs', import.meta.url));

export type CreateFakeGeminiCliOptions = {
  /** The script of runs without `--acp`; one short answer by default. */
  readonly scenario?: FakeCliScenario;
  /** The script of processes with `--acp`; by default they answer every prompt with `acpEcho`. */
  readonly acp?: FakeAcpScenario;
  /** Holds the executable, the log of its runs and the files of its steps. The caller removes it. */
  readonly directory: string;
};

/**
 * Writes an executable that plays a scenario, and resolves to its path. The scenario is fixed: no environment variable and no argument
 * selects it. A second call for a directory replaces the scenario; the runs go on counting. A running ACP process follows the new
 * scenario from its next call on, and counts its calls from the beginning.
 */
export async function createFakeGeminiCli(options: CreateFakeGeminiCliOptions): Promise<string> {
  const { scenario = { runs: [cliAnswer('This is the fake Gemini CLI.')] }, acp = { processes: [{}] } } = options;
  const { directory } = options;
  await mkdir(join(directory, 'acp'), { recursive: true });
  await replaceFile(join(directory, 'acp', 'scenario.json'), JSON.stringify(acp), 0o644);
  const path = join(directory, 'gemini');
  await replaceFile(path, launcher({ scenario, directory }), 0o755);
  return path;
}

/** Atomic: a concurrent reader sees all of the old file or all of the new one. */
async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await writeFile(unfinished, text);
  await chmod(unfinished, mode);
  await rename(unfinished, path);
}

/** Valid as a CommonJS file and as a module, so its directory may use either. */
function launcher(options: { readonly scenario: FakeCliScenario; readonly directory: string }): string {
  const program = JSON.stringify(pathToFileURL(fakeGeminiCliPath).href);
  const acpProgram = JSON.stringify(pathToFileURL(fakeAcpPath).href);
  const directory = JSON.stringify(options.directory);
  return [
    `#!${process.execPath}`,
    "const isVersionQuery = process.argv.includes('--version') || process.argv.includes('-v');",
    "if (process.argv.includes('--acp') && !isVersionQuery) {",
    `  import(${acpProgram}).then(({ runFakeAcp }) => runFakeAcp({ directory: ${directory} }));`,
    '} else {',
    `  import(${program}).then(({ runFakeGemini }) => runFakeGemini(${JSON.stringify(options)}));`,
    '}',
    '',
  ].join('\n');
}
