import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Command } from '../../processes/contained-command.ts';
import type { Environment } from '../../processes/programs/child-environment.ts';
import { homeDirectory } from '../../processes/programs/home-directory.ts';
import { isExecutableFile } from '../../processes/programs/is-executable-file.ts';
import { describePathFault, type PathFault, showPath } from '../../processes/programs/path-fault.ts';
import type { PassedOver, ProgramPath, ProgramSearch } from '../../processes/programs/program-path.ts';
import { absentUnlessShort, describeShortage } from '../../processes/system-shortage.ts';
import { findByNpx } from './find-by-npx.ts';
import { findGeminiPackageAbove, geminiPackageName, readGeminiPackage } from './gemini-package.ts';

/** A located Gemini CLI, ready to start. */
export type GeminiCli = {
  /** The command without flags: the executable, or this Node with the package's entry. */
  readonly command: Command;
  /** Its real path. */
  readonly path: string;
  /** Null if it has no package.json. */
  readonly version: string | null;
  /** `node` means next to the Node that runs this program, `usual-place` in another directory that PATH need not name. */
  readonly foundBy: 'GEMINI_MCP_CLI' | 'PATH' | 'node' | 'usual-place' | 'npx';
};

export type GeminiCliLocation =
  | {
      readonly found: true;
      readonly cli: GeminiCli;
      /** The candidates that were examined before it. */
      readonly passedOver: readonly PassedOver[];
      /** The searched directories outside PATH, in order; empty if PATH or a setting led to the CLI. */
      readonly lookedIn: readonly string[];
      /** Why PATH would not have led to a CLI given by absolute path; null for every other. */
      readonly fault: PathFault | null;
    }
  | {
      readonly found: false;
      /** Names the skipped candidates, or the resource that the system has run out of. */
      readonly detail: string;
      readonly passedOver: readonly PassedOver[];
      readonly lookedIn: readonly string[];
      readonly isShortage?: true;
      /** True if npx was not used because no login is known for the CLI. */
      readonly lacksLogin?: true;
    };

type Missing = Extract<GeminiCliLocation, { readonly found: false }>;

export type LocateOptions = {
  readonly environment: Environment;
  /** The environment whose PATH is searched for programs. */
  readonly programs: ProgramPath;
  /** Private directory, in which npx gets an empty project; created on demand. */
  readonly runsDirectory: string;
  /** The Node whose directory is searched for the CLI and npm. Default: the one that runs this program. */
  readonly nodePath?: string;
  /** Directories of commands for all users of the machine, whatever PATH says; the usual ones by default. */
  readonly sharedDirectories?: readonly string[];
  /** Whether npx may fetch the CLI. */
  readonly mayFetch?: boolean;
  /** Whether a login for the CLI exists; without one npx does not fetch it. True if missing. */
  readonly hasLogin?: () => Promise<boolean>;
  /** Called before npx fetches the CLI, which can take minutes. Must not throw. */
  readonly onFetch?: () => void;
};

const notInstalled = 'No usable `gemini` was found on PATH or in the usual places.';
const nowhere = 'No usable `gemini` was found on PATH or in the usual places, and npx could not provide it.';
const notSafe = 'No usable `gemini` was found, and the one that npx fetched is in an unsafe place.';

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package in the directories of
 * `directoriesOffPath`, then with npx, if allowed or if GEMINI_MCP_CLI is `npx`. A wrong GEMINI_MCP_CLI is an error and never skipped. An
 * absolute path in it is the operator's decision and may lead anywhere; every other candidate has to be safe. Never rejects; on abort it
 * reports that it found nothing, once all its processes have ended.
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
  const { path, passedOver, lookedIn } = await searchOffPath(options);
  const looked = { passedOver: [...onPath.passedOver, ...passedOver], lookedIn };
  if (path !== null) {
    return found(path, lookedIn.length === 1 ? 'node' : 'usual-place', looked);
  }
  if (options.mayFetch === false) {
    return missing(notInstalled, looked);
  }
  if ((await options.hasLogin?.()) === false) {
    return { ...missing(notInstalled, looked), lacksLogin: true };
  }
  const fetched = await fetchByNpx(options, signal);
  if (fetched.path !== null) {
    return found(fetched.path, 'npx', looked);
  }
  looked.passedOver.push(...fetched.passedOver);
  return missing(fetched.passedOver.length > 0 ? notSafe : nowhere, looked);
}

async function searchOffPath(
  options: LocateOptions,
): Promise<ProgramSearch & { readonly lookedIn: readonly string[] }> {
  const passedOver: PassedOver[] = [];
  const lookedIn: string[] = [];
  for (const directory of await directoriesOffPath(options)) {
    const search = await searchDirectory(directory, options.programs);
    lookedIn.push(directory);
    passedOver.push(...search.passedOver);
    if (search.path !== null) {
      return { path: search.path, passedOver, lookedIn };
    }
  }
  return { path: null, passedOver, lookedIn };
}

/**
 * Directories that clients leave out of the PATH of servers that they start: desktop clients (Claude Desktop, Cursor, VS Code) have no
 * login shell.
 * - next to the Node that runs us, which a client names by its path: npm installs there under nvm, fnm, asdf and mise;
 * - the npm prefix that the user set, which a shell profile adds to PATH;
 * - /opt/homebrew/bin and /usr/local/bin, which are not on the PATH that macOS gives to applications: Homebrew's `gemini-cli`, and
 *   packages that npm installs with Homebrew's Node or the one of nodejs.org.
 *
 * On Windows these hold packages instead of commands, because npm's command files need a shell there.
 */
async function directoriesOffPath(options: LocateOptions): Promise<readonly string[]> {
  const { environment, nodePath = process.execPath } = options;
  const { sharedDirectories = ['/opt/homebrew/bin', '/usr/local/bin'] } = options;
  const prefix = await readNpmPrefix(homeDirectory(environment));
  const prefixes = prefix === null ? [] : [prefix];
  if (process.platform !== 'win32') {
    return [dirname(nodePath), ...prefixes.map((each) => join(each, 'bin')), ...sharedDirectories];
  }
  const data = environment['APPDATA'] ?? '';
  const ofUser = isAbsolute(data) ? [join(data, 'npm')] : [];
  return [dirname(nodePath), ...prefixes, ...ofUser].map((each) => join(each, 'node_modules'));
}

/** Only the package of the Gemini CLI counts: another program of that name does not stop npx from fetching it. */
async function searchDirectory(directory: string, programs: ProgramPath): Promise<ProgramSearch> {
  if (process.platform === 'win32') {
    return searchPackages(directory, programs);
  }
  const search = await programs.searchIn(directory, 'gemini');
  const isPackage = search.path !== null && (await findGeminiPackageAbove(await realpath(search.path))) !== null;
  return isPackage ? search : { ...search, path: null };
}

/** A user's npm settings are a few lines. */
const maxSettingsBytes = 65_536;

/**
 * Where npm installs global packages by the user's own `.npmrc`; null if the file does not say. npm's variables do not count: npm sets
 * them from the `.npmrc` of a project as well.
 */
async function readNpmPrefix(home: string): Promise<string | null> {
  const lines = (await readBeginning(join(home, '.npmrc'), maxSettingsBytes)).split(/\r?\n/);
  const values = lines.flatMap((line) => /^\s*prefix\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  const value = values.at(-1)?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
  const prefix = value.replace(/^(?:~|\$\{HOME\})(?=[/\\]|$)/, () => home);
  return isAbsolute(prefix) ? prefix : null;
}

/** The beginning of a regular file; empty for anything else, and for an unreadable file. */
async function readBeginning(path: string, bytes: number): Promise<string> {
  // Non-blocking: opening or reading a pipe might never finish.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(absentUnlessShort);
  try {
    if (file === null || !(await file.stat()).isFile()) {
      return '';
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file?.close();
  }
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

type Looked = {
  readonly passedOver?: readonly PassedOver[];
  readonly lookedIn?: readonly string[];
  readonly fault?: PathFault | null;
};

async function found(path: string, foundBy: GeminiCli['foundBy'], looked: Looked): Promise<GeminiCliLocation> {
  const { passedOver = [], lookedIn = [], fault = null } = looked;
  const cli = await describeExecutable(path, foundBy);
  return { found: true, cli, passedOver: withoutRepeats(passedOver), lookedIn, fault };
}

/** `#!/usr/bin/env node`, with a path, with flags of env or of Node; but not a path that only goes through a `node`. */
const nodeShebang = /^#!\s*(?:\S*\/env\s+(?:-S\s*)?)?(?:\S*\/)?node(?:js)?(?:\s|$)/;

/**
 * How to start an executable. If it is a script for Node, this Node starts it by its real path: one process, independent of any `node` on
 * the search path, and without a shell on Windows. Anything else is started by the path that was found: programs with many names (version
 * managers) look at the name that they were called by.
 */
async function describeExecutable(path: string, foundBy: GeminiCli['foundBy']): Promise<GeminiCli> {
  const real = await realpath(path);
  const isNodeScript = /\.[cm]?js$/.test(real) || nodeShebang.test(await readBeginning(real, 128));
  const command = isNodeScript ? { file: process.execPath, arguments: [real] } : { file: path, arguments: [] };
  return { command, path: real, version: (await findGeminiPackageAbove(real))?.version ?? null, foundBy };
}

/** Enough to explain the problem. */
const maxToldPrograms = 3;

function missing(sentence: string, { passedOver = [], lookedIn = [] }: Looked = {}): Missing {
  const all = withoutRepeats(passedOver);
  const told = all
    .slice(0, maxToldPrograms)
    .map(({ path, fault }) => `Passed over ${showPath(path)}: ${describePathFault(fault)}`);
  const advice = told.length === 0 ? [] : ['Set GEMINI_MCP_CLI to the absolute path of your own.'];
  return { found: false, detail: [sentence, ...told, ...advice].join(' '), passedOver: all, lookedIn };
}

/** PATH may name a directory that is searched anyway. */
function withoutRepeats(passedOver: readonly PassedOver[]): readonly PassedOver[] {
  return [...new Map(passedOver.map((each) => [each.path, each])).values()];
}

/** Node can start a script without permission to execute; a command file of Windows needs a shell, and gets none. */
async function isStartable(path: string): Promise<boolean> {
  if (process.platform === 'win32' && /\.(?:cmd|bat|ps1)$/i.test(path)) {
    return false;
  }
  return /\.[cm]?js$/.test(path)
    ? await stat(path).then(
        (stats) => stats.isFile(),
        () => false,
      )
    : await isExecutableFile(path);
}

async function findCommand(programs: ProgramPath): Promise<ProgramSearch> {
  const search = await programs.search('gemini');
  return search.path === null
    ? { ...search, path: await findWindowsEntry(programs, await programs.directories()) }
    : search;
}

async function fetchByNpx(options: LocateOptions, signal: AbortSignal): Promise<ProgramSearch> {
  const { programs, nodePath = process.execPath, onFetch = () => undefined } = options;
  const directory = await findByNpx({ ...options, nodePath, onFetch }, signal);
  if (directory === null) {
    return { path: null, passedOver: [] };
  }
  const path = join(directory, 'gemini');
  if (process.platform === 'win32' || !(await isExecutableFile(path))) {
    return { path: await findWindowsEntry(programs, [directory]), passedOver: [] };
  }
  const fault = await programs.judgeProgram(path);
  return fault === null ? { path, passedOver: [] } : { path: null, passedOver: [{ path, fault }] };
}

/** npm's command files for Windows need a shell; the script that they start is next to them, and needs none. */
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

/** The entry script of a package, by its path. */
async function searchPackages(modules: string, programs: ProgramPath): Promise<ProgramSearch> {
  const place = join(modules, geminiPackageName);
  const ofPlace = await programs.judgeProgram(place);
  const path = ofPlace === null ? (await readGeminiPackage(place))?.entry : place;
  if (path === undefined || ofPlace?.kind === 'unreadable') {
    return { path: null, passedOver: [] };
  }
  const fault = ofPlace ?? (await programs.judgeProgram(path));
  return fault === null ? { path, passedOver: [] } : { path: null, passedOver: [{ path, fault }] };
}
