import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { describeShortage } from '../../process/system-shortage.ts';
import { describePathFault, showPath } from '../../programs/describe-path-fault.ts';
import { isExecutableFile } from '../../programs/is-executable-file.ts';
import type { PathFault } from '../../programs/path-fault.ts';
import type { PassedOver, ProgramPath, ProgramSearch } from '../../programs/program-path.ts';
import { describeExecutable } from './describe-executable.ts';
import { findByNpx } from './find-by-npx.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { type PlacesSearch, searchPackages, searchPlaces } from './search-places.ts';
import { type CliPlacesOptions, placesNextToNode, usualPlaces } from './usual-places.ts';

export type LocateOptions = CliPlacesOptions & {
  /** Where programs are looked for. */
  readonly programs: ProgramPath;
  /** Private directory, in which npx gets an empty project; made when it is needed. */
  readonly runsDirectory: string;
  /** The Node next to which the CLI and npm are looked for; the one that runs this program unless given. */
  readonly nodePath?: string;
  /** Whether npx may be asked to fetch the CLI. */
  readonly mayFetch?: boolean;
  /** Whether there is a login that the CLI could use: without one npx is not asked to fetch it. There is one if this is missing. */
  readonly hasLogin?: () => Promise<boolean>;
  /** Called before npx is asked to fetch the CLI, which can take minutes. Must not throw. */
  readonly onFetch?: () => void;
};

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package next to Node, in
 * the usual places of package and version managers, and by npx, where that is allowed or GEMINI_MCP_CLI is `npx`. What else
 * GEMINI_MCP_CLI names is taken or nothing is: a wrong setting is told, not passed over. An absolute path there is the operator's word and may lead anywhere; elsewhere only what is
 * safe counts. Never rejects; on abort it says that nothing was found, once nothing of it is running any more.
 */
export async function locateGeminiCli(options: LocateOptions, signal: AbortSignal): Promise<GeminiCliLocation> {
  const { environment, programs } = options;
  const chosen = environment['GEMINI_MCP_CLI'];
  try {
    if (chosen === 'npx') {
      return await locateAnywhere({ ...options, mayFetch: true }, signal);
    }
    return chosen ? await locateChosen(chosen, programs) : await locateAnywhere(options, signal);
  } catch (error) {
    const shortage = describeShortage(error);
    if (shortage !== null) {
      return { ...missing(shortage), isShortage: true };
    }
    return missing(`Looking for it failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function locateAnywhere(options: LocateOptions, signal: AbortSignal): Promise<GeminiCliLocation> {
  const onPath = await findCommand(options.programs);
  if (onPath.path !== null) {
    return found(onPath.path, 'PATH', onPath);
  }
  const offPath = await searchOffPath(options);
  const search = { passedOver: mergePassedOver(onPath, offPath), lookedIn: offPath.lookedIn };
  if (offPath.path !== null) {
    return found(offPath.path, offPath.foundBy, search);
  }
  if (options.mayFetch === false) {
    return missing(notInstalled, search);
  }
  if ((await options.hasLogin?.()) === false) {
    return { ...missing(notInstalled, search), lacksLogin: true };
  }
  const fetched = await fetchByNpx(options, signal);
  if (fetched.path !== null) {
    return found(fetched.path, 'npx', search);
  }
  const isUnsafe = fetched.passedOver.length > 0;
  return missing(isUnsafe ? notSafe : nowhere, { ...search, passedOver: mergePassedOver(search, fetched) });
}

const notInstalled = 'There is no `gemini` that may be run, neither on PATH nor in the usual places.';
const nowhere =
  'There is no `gemini` that may be run, neither on PATH nor in the usual places, and npx could not provide it.';

const notSafe = 'There is no `gemini` that may be run, and the one that npx has fetched lies in an unsafe place.';

type OffPathSearch = PlacesSearch & { readonly foundBy: 'node' | 'usual-place' };

async function searchOffPath(options: LocateOptions): Promise<OffPathSearch> {
  const { programs, nodePath = process.execPath } = options;
  const nextToNode = await searchPlaces(placesNextToNode(nodePath), programs);
  if (nextToNode.path !== null) {
    return { ...nextToNode, foundBy: 'node' };
  }
  const elsewhere = await searchPlaces(await usualPlaces(options), programs);
  return {
    path: elsewhere.path,
    passedOver: mergePassedOver(nextToNode, elsewhere),
    lookedIn: [...new Set([...nextToNode.lookedIn, ...elsewhere.lookedIn])],
    foundBy: 'usual-place',
  };
}

type Told = Pick<ProgramSearch, 'passedOver'>;

/** A usual place may be on PATH as well: what lies there is told once. */
function mergePassedOver(before: Told, after: Told): readonly PassedOver[] {
  const known = new Set(before.passedOver.map(({ path }) => path));
  return [...before.passedOver, ...after.passedOver.filter(({ path }) => !known.has(path))];
}

async function locateChosen(chosen: string, programs: ProgramPath): Promise<GeminiCliLocation> {
  const isPath = /[/\\]/.test(chosen);
  const { path, passedOver }: ProgramSearch = isPath ? { path: chosen, passedOver: [] } : await programs.search(chosen);
  if (path === null || !isAbsolute(path) || !(await isStartable(path))) {
    const wanted = isPath ? 'an absolute path to an executable file' : 'a program on PATH';
    return missing(`GEMINI_MCP_CLI does not name ${wanted}.`, { passedOver });
  }
  const fault = isPath ? await programs.judgeProgram(path) : null;
  return found(path, 'GEMINI_MCP_CLI', { passedOver, fault });
}

/** What is told of a search, whatever it led to. */
type Looked = {
  readonly passedOver?: readonly PassedOver[];
  readonly lookedIn?: readonly string[];
  readonly fault?: PathFault | null;
};

async function found(
  executable: string,
  foundBy: GeminiCli['foundBy'],
  { passedOver = [], lookedIn = [], fault = null }: Looked,
): Promise<GeminiCliLocation> {
  return { found: true, cli: await describeExecutable(executable, foundBy), passedOver, lookedIn, fault };
}

/** As many as say what is wrong. */
const maxToldPrograms = 3;

function missing(
  sentence: string,
  { passedOver = [], lookedIn = [] }: Looked = {},
): Extract<GeminiCliLocation, { readonly found: false }> {
  const told = passedOver
    .slice(0, maxToldPrograms)
    .map(({ path, fault }) => `Passed over ${showPath(path)}: ${describePathFault(fault)}`);
  const advice = told.length === 0 ? [] : ['Set GEMINI_MCP_CLI to the absolute path of the one that is yours.'];
  return { found: false, detail: [sentence, ...told, ...advice].join(' '), passedOver, lookedIn };
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

async function fetchByNpx(options: LocateOptions, signal: AbortSignal): Promise<ProgramSearch> {
  const { nodePath = process.execPath, onFetch = () => undefined } = options;
  const directory = await findByNpx({ ...options, nodePath, onFetch }, signal);
  if (directory === null) {
    return { path: null, passedOver: [] };
  }
  const { programs } = options;
  const command = join(directory, 'gemini');
  const isThere = await isExecutableFile(command);
  const fault = isThere ? await programs.judgeProgram(command) : null;
  if (isThere && fault === null) {
    return { path: command, passedOver: [] };
  }
  const passedOver = fault === null ? [] : [{ path: command, fault }];
  return { path: await findWindowsEntry(programs, [directory]), passedOver };
}

/** npm's command files for Windows need a shell; the script that they start lies next to them, and needs none. */
async function findWindowsEntry(programs: ProgramPath, directories: readonly string[]): Promise<string | null> {
  if (process.platform !== 'win32') {
    return null;
  }
  for (const directory of directories) {
    for (const modules of [join(directory, 'node_modules'), dirname(directory)]) {
      const { path } = await searchPackages(modules, programs);
      if (path !== null) {
        return path;
      }
    }
  }
  return null;
}
