import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isExecutableFile, searchPath, trustedDirectories, trustedPath } from '../process/search-path.ts';
import { describeShortage } from '../process/system-shortage.ts';
import { type Environment, searchPathOf } from './child-environment.ts';
import { describeExecutable } from './describe-executable.ts';
import { findByNpx } from './find-by-npx.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { geminiPackageName, readGeminiPackage } from './gemini-package.ts';

export type LocateOptions = {
  readonly environment: Environment;
  /** The Node whose npm is asked when nothing is installed; the one that runs this program unless given. */
  readonly nodePath?: string;
};

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package by npx. What
 * GEMINI_MCP_CLI names is taken or nothing is: a wrong setting is told, not passed over. Never rejects; on abort it says
 * that nothing was found, once nothing of it is running any more.
 */
export async function locateGeminiCli(options: LocateOptions, signal: AbortSignal): Promise<GeminiCliLocation> {
  const { environment, nodePath = process.execPath } = options;
  const chosen = environment['GEMINI_MCP_CLI'];
  const path = await trustedPath(searchPathOf(environment));
  try {
    if (chosen) {
      return await locateChosen(chosen, path);
    }
    const onPath = await findCommand(path);
    if (onPath !== null) {
      return await found(onPath, 'PATH');
    }
    const binDirectory = await findByNpx({ environment, path, nodePath }, signal);
    const fetched = binDirectory === null ? null : await findCommand(binDirectory);
    if (fetched !== null) {
      return await found(fetched, 'npx');
    }
    return { found: false, detail: 'There is no `gemini` on PATH, and npx could not provide it.' };
  } catch (error) {
    const shortage = describeShortage(error);
    if (shortage !== null) {
      return { found: false, detail: shortage, isShortage: true };
    }
    return { found: false, detail: `Looking for it failed: ${error instanceof Error ? error.message : String(error)}` };
  }
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

/** A script that Node can start needs no permission to be executed; a command file of Windows needs a shell, and gets none. */
async function isStartable(path: string): Promise<boolean> {
  const isCommandFile = process.platform === 'win32' && /\.(?:cmd|bat|ps1)$/i.test(path);
  return !isCommandFile && (await (/\.[cm]?js$/.test(path) ? isFile(path) : isExecutableFile(path)));
}

async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true;
}

async function findCommand(path: string): Promise<string | null> {
  return (await searchPath('gemini', path)) ?? (await findWindowsEntry(path));
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
