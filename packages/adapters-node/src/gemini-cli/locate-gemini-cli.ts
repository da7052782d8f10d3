import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { execa } from 'execa';
import { describeExecutable } from './describe-executable.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { geminiPackageName, readGeminiPackage } from './gemini-package.ts';
import { isExecutableFile, searchPath, trustedDirectories } from './search-path.ts';

/** npx may have to download 100 MB. */
const npxTimeoutMs = 120_000;

export type LocateOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package by npx. What
 * GEMINI_MCP_CLI names is taken or nothing is: a wrong setting is told, not passed over.
 */
export async function locateGeminiCli({ environment }: LocateOptions, signal: AbortSignal): Promise<GeminiCliLocation> {
  const chosen = environment['GEMINI_MCP_CLI'];
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  if (chosen) {
    return locateChosen(chosen, path);
  }
  const onPath = (await searchPath('gemini', path)) ?? (await findWindowsEntry(path));
  const executable = onPath ?? (await findByNpx(path, environment, signal));
  if (executable === null) {
    return { found: false, detail: 'There is no `gemini` on PATH, and npx could not provide it.' };
  }
  return found(executable, onPath === null ? 'npx' : 'PATH');
}

async function locateChosen(chosen: string, path: string): Promise<GeminiCliLocation> {
  const isPath = /[/\\]/.test(chosen);
  const executable = isPath ? chosen : await searchPath(chosen, path);
  if (executable === null || !isAbsolute(executable) || !(await isStartable(executable))) {
    const wanted = isPath ? 'an absolute path to an executable file' : 'a program on PATH';
    return { found: false, detail: `GEMINI_MCP_CLI does not name ${wanted}.` };
  }
  return found(executable, 'GEMINI_MCP_CLI');
}

async function found(executable: string, foundBy: GeminiCli['foundBy']): Promise<GeminiCliLocation> {
  return { found: true, cli: await describeExecutable(executable, foundBy) };
}

/** A script that Node can start needs no permission to be executed. */
async function isStartable(path: string): Promise<boolean> {
  return /\.[cm]?js$/.test(path) || isExecutableFile(path);
}

/** npm's command files for Windows need a shell; the script that they start lies beside them, and needs none. */
async function findWindowsEntry(path: string): Promise<string | null> {
  if (process.platform !== 'win32') {
    return null;
  }
  for (const directory of await trustedDirectories(path)) {
    for (const modules of [join(directory, 'node_modules'), dirname(directory)]) {
      const installed = await readGeminiPackage(join(modules, geminiPackageName));
      if (installed !== null) {
        return installed.entry;
      }
    }
  }
  return null;
}

/** Lets npx fetch the package and asks only where it lies, so that runs do not go through npx and its processes. */
async function findByNpx(
  path: string,
  environment: LocateOptions['environment'],
  signal: AbortSignal,
): Promise<string | null> {
  const npx = await findNpx(path);
  if (npx === null) {
    return null;
  }
  const [file, ...firstArguments] = npx;
  const printPath = [
    '--yes',
    `--package=${geminiPackageName}`,
    '--',
    'node',
    '-p',
    'process.env.PATH || process.env.Path',
  ];
  const result = await execa(file, [...firstArguments, ...printPath], {
    env: definedOnly(environment),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: npxTimeoutMs,
    cancelSignal: signal as globalThis.AbortSignal,
  });
  if (result.failed || typeof result.stdout !== 'string') {
    return null;
  }
  const [binDirectory = ''] = result.stdout.trim().split(delimiter);
  return (await searchPath('gemini', binDirectory)) ?? findWindowsEntry(binDirectory);
}

/** npx as a script beside this Node, which works without a shell everywhere, else as a program. */
async function findNpx(path: string): Promise<readonly [string, ...string[]] | null> {
  const nodeDirectory = dirname(process.execPath);
  for (const modules of [join(nodeDirectory, 'node_modules'), join(nodeDirectory, '..', 'lib', 'node_modules')]) {
    const script = join(modules, 'npm', 'bin', 'npx-cli.js');
    if (await isExecutableFile(script)) {
      return [process.execPath, script];
    }
  }
  const npx = await searchPath('npx', path);
  return npx === null ? null : [npx];
}

function definedOnly(environment: LocateOptions['environment']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
