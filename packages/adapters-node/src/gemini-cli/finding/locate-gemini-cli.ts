import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { describeShortage } from '../../process/system-shortage.ts';
import { describePathFault, showPath } from '../../programs/describe-path-fault.ts';
import { isExecutableFile } from '../../programs/is-executable-file.ts';
import type { PathFault } from '../../programs/path-fault.ts';
import type { PassedOver, ProgramPath, ProgramSearch } from '../../programs/program-path.ts';
import type { Environment } from '../environment/child-environment.ts';
import { describeExecutable } from './describe-executable.ts';
import { findByNpx } from './find-by-npx.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { geminiPackageName, readGeminiPackage } from './gemini-package.ts';

export type LocateOptions = {
  readonly environment: Environment;
  /** Where programs are looked for. */
  readonly programs: ProgramPath;
  /** Private directory, in which npx gets an empty project; made when it is needed. */
  readonly runsDirectory: string;
  /** The Node whose npm is asked when nothing is installed; the one that runs this program unless given. */
  readonly nodePath?: string;
};

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package by npx. What
 * GEMINI_MCP_CLI names is taken or nothing is: a wrong setting is told, not passed over. An absolute path there is the
 * operator's word and may lead anywhere; of PATH only what is safe counts. Never rejects; on abort it says that nothing was
 * found, once nothing of it is running any more.
 */
export async function locateGeminiCli(options: LocateOptions, signal: AbortSignal): Promise<GeminiCliLocation> {
  const { environment, programs } = options;
  const chosen = environment['GEMINI_MCP_CLI'];
  try {
    if (chosen) {
      return await locateChosen(chosen, programs);
    }
    const onPath = await findCommand(programs);
    if (onPath.path !== null) {
      return await found(onPath.path, 'PATH', onPath);
    }
    const fetched = await fetchByNpx(options, signal);
    return fetched === null
      ? missing('There is no `gemini` on PATH that may be run, and npx could not provide it.', onPath.passedOver)
      : await found(fetched, 'npx', onPath);
  } catch (error) {
    const shortage = describeShortage(error);
    if (shortage !== null) {
      return { ...missing(shortage, []), isShortage: true };
    }
    return missing(`Looking for it failed: ${error instanceof Error ? error.message : String(error)}`, []);
  }
}

async function locateChosen(chosen: string, programs: ProgramPath): Promise<GeminiCliLocation> {
  const isPath = /[/\\]/.test(chosen);
  const { path, passedOver }: ProgramSearch = isPath ? { path: chosen, passedOver: [] } : await programs.search(chosen);
  if (path === null || !isAbsolute(path) || !(await isStartable(path))) {
    const wanted = isPath ? 'an absolute path to an executable file' : 'a program on PATH';
    return missing(`GEMINI_MCP_CLI does not name ${wanted}.`, passedOver);
  }
  const fault = isPath ? await programs.judgeProgram(path) : null;
  return found(path, 'GEMINI_MCP_CLI', { passedOver, fault });
}

async function found(
  executable: string,
  foundBy: GeminiCli['foundBy'],
  { passedOver, fault = null }: { readonly passedOver: readonly PassedOver[]; readonly fault?: PathFault | null },
): Promise<GeminiCliLocation> {
  return { found: true, cli: await describeExecutable(executable, foundBy), passedOver, fault };
}

/** As many as say what is wrong. */
const maxToldPrograms = 3;

function missing(
  sentence: string,
  passedOver: readonly PassedOver[],
): Extract<GeminiCliLocation, { readonly found: false }> {
  const told = passedOver
    .slice(0, maxToldPrograms)
    .map(({ path, fault }) => `Passed over ${showPath(path)}: ${describePathFault(fault)}`);
  const advice = told.length === 0 ? [] : ['Set GEMINI_MCP_CLI to the absolute path of the one that is yours.'];
  return { found: false, detail: [sentence, ...told, ...advice].join(' '), passedOver };
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

async function findCommand(programs: ProgramPath): Promise<ProgramSearch> {
  const search = await programs.search('gemini');
  return search.path === null
    ? { ...search, path: await findWindowsEntry(programs, await programs.directories()) }
    : search;
}

async function fetchByNpx(options: LocateOptions, signal: AbortSignal): Promise<string | null> {
  const { environment, programs, runsDirectory, nodePath = process.execPath } = options;
  const directory = await findByNpx({ environment, programs, runsDirectory, nodePath }, signal);
  if (directory === null) {
    return null;
  }
  const command = join(directory, 'gemini');
  const isSafe = (await isExecutableFile(command)) && (await programs.judgeProgram(command)) === null;
  return isSafe ? command : findWindowsEntry(programs, [directory]);
}

/** npm's command files for Windows need a shell; the script that they start lies beside them, and needs none. */
async function findWindowsEntry(programs: ProgramPath, directories: readonly string[]): Promise<string | null> {
  if (process.platform !== 'win32') {
    return null;
  }
  for (const directory of directories) {
    for (const modules of [join(directory, 'node_modules'), dirname(directory)]) {
      const installed = await readGeminiPackage(join(modules, geminiPackageName));
      if (installed !== null && (await programs.judgeProgram(installed.entry)) === null) {
        return installed.entry;
      }
    }
  }
  return null;
}
