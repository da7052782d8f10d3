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

/** A Gemini CLI that was found, ready to be started. */
export type GeminiCli = {
  /** The command without flags: the executable, or this Node with the package's entry. */
  readonly command: Command;
  /** Its real path. */
  readonly path: string;
  /** Null if no package.json of it was found. */
  readonly version: string | null;
  /** `node` means next to the Node that runs this program, `usual-place` in another directory that PATH need not name. */
  readonly foundBy: 'GEMINI_MCP_CLI' | 'PATH' | 'node' | 'usual-place' | 'npx';
};

export type GeminiCliLocation =
  | {
      readonly found: true;
      readonly cli: GeminiCli;
      /** Those that were looked at before it. */
      readonly passedOver: readonly PassedOver[];
      /** The directories outside PATH that were looked into, in order; empty if PATH or a setting led to it. */
      readonly lookedIn: readonly string[];
      /** Why PATH would not have led to a CLI that an absolute path names; null for every other. */
      readonly fault: PathFault | null;
    }
  | {
      readonly found: false;
      /** Says what was passed over, or which resource of the system is used up. */
      readonly detail: string;
      readonly passedOver: readonly PassedOver[];
      readonly lookedIn: readonly string[];
      readonly isShortage?: true;
      /** npx was not asked for it, because no login is known that it could use. */
      readonly lacksLogin?: true;
    };

type Missing = Extract<GeminiCliLocation, { readonly found: false }>;

export type LocateOptions = {
  readonly environment: Environment;
  /** Where programs are looked for. */
  readonly programs: ProgramPath;
  /** Private directory, in which npx gets an empty project; made when it is needed. */
  readonly runsDirectory: string;
  /** The Node next to which the CLI and npm are looked for; the one that runs this program unless given. */
  readonly nodePath?: string;
  /** Where all users of the machine have commands, whatever PATH says; the usual directories unless given. */
  readonly sharedDirectories?: readonly string[];
  /** Whether npx may be asked to fetch the CLI. */
  readonly mayFetch?: boolean;
  /** Whether there is a login that the CLI could use: without one npx is not asked to fetch it. There is one if this is missing. */
  readonly hasLogin?: () => Promise<boolean>;
  /** Called before npx is asked to fetch the CLI, which can take minutes. Must not throw. */
  readonly onFetch?: () => void;
};

const notInstalled = 'There is no `gemini` that may be run, neither on PATH nor in the usual places.';
const nowhere =
  'There is no `gemini` that may be run, neither on PATH nor in the usual places, and npx could not provide it.';
const notSafe = 'There is no `gemini` that may be run, and the one that npx has fetched lies in an unsafe place.';

/**
 * Looks for the Gemini CLI: GEMINI_MCP_CLI (a path, or a name on PATH), then `gemini` on PATH, then the package in the directories
 * of `directoriesOffPath`, and by npx, if that is allowed or GEMINI_MCP_CLI is `npx`. A wrong GEMINI_MCP_CLI is an error, never
 * passed over. An absolute path there is the operator's word and may lead anywhere; everything else has to be safe. Never rejects;
 * on abort it reports that nothing was found, once nothing of it is running any more.
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
 * Directories that clients leave out of the PATH of servers that they start: those of a desktop (Claude Desktop, Cursor, VS Code)
 * have no login shell.
 *
 * - next to the Node that runs us, which a client names by its path: npm installs there under nvm, fnm, asdf and mise;
 * - the prefix that the user gave npm, which a profile of the shell adds to PATH;
 * - /opt/homebrew/bin and /usr/local/bin, which are not on the PATH that macOS gives to applications: Homebrew's `gemini-cli`, and
 *   what npm installs with Homebrew's Node and that of nodejs.org.
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

/** Only the package of the Gemini CLI counts: another program of that name is no reason to leave npx out. */
async function searchDirectory(directory: string, programs: ProgramPath): Promise<ProgramSearch> {
  if (process.platform === 'win32') {
    return searchPackages(directory, programs);
  }
  const search = await programs.searchIn(directory, 'gemini');
  const isPackage = search.path !== null && (await findGeminiPackageAbove(await realpath(search.path))) !== null;
  return isPackage ? search : { ...search, path: null };
}

/** A user's settings of npm are a few lines. */
const maxSettingsBytes = 65_536;

/**
 * Where npm installs global packages by the user's own `.npmrc`; null if that does not say. npm's variables do not count: npm
 * exports in them what the `.npmrc` of a project says.
 */
async function readNpmPrefix(home: string): Promise<string | null> {
  const lines = (await readBeginning(join(home, '.npmrc'), maxSettingsBytes)).split(/\r?\n/);
  const values = lines.flatMap((line) => /^\s*prefix\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  const value = values.at(-1)?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
  const prefix = value.replace(/^(?:~|\$\{HOME\})(?=[/\\]|$)/, () => home);
  return isAbsolute(prefix) ? prefix : null;
}

/** The beginning of a regular file; empty for anything else, and for a file that cannot be read. */
async function readBeginning(path: string, bytes: number): Promise<string> {
  // Not blocking: neither the opening nor a read of a pipe would end.
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
 * How to start a found executable. This Node starts a script for Node by its real path: one process, whatever `node` a search path
 * would lead to, and no shell on Windows. Anything else is started by the path where it was found: programs that many names lead
 * to (version managers) ask by which they were called.
 */
async function describeExecutable(path: string, foundBy: GeminiCli['foundBy']): Promise<GeminiCli> {
  const real = await realpath(path);
  const isNodeScript = /\.[cm]?js$/.test(real) || nodeShebang.test(await readBeginning(real, 128));
  const command = isNodeScript ? { file: process.execPath, arguments: [real] } : { file: path, arguments: [] };
  return { command, path: real, version: (await findGeminiPackageAbove(real))?.version ?? null, foundBy };
}

/** As many as say what is wrong. */
const maxToldPrograms = 3;

function missing(sentence: string, { passedOver = [], lookedIn = [] }: Looked = {}): Missing {
  const all = withoutRepeats(passedOver);
  const told = all
    .slice(0, maxToldPrograms)
    .map(({ path, fault }) => `Passed over ${showPath(path)}: ${describePathFault(fault)}`);
  const advice = told.length === 0 ? [] : ['Set GEMINI_MCP_CLI to the absolute path of the one that is yours.'];
  return { found: false, detail: [sentence, ...told, ...advice].join(' '), passedOver: all, lookedIn };
}

/** PATH may name a directory that is looked into anyway. */
function withoutRepeats(passedOver: readonly PassedOver[]): readonly PassedOver[] {
  return [...new Map(passedOver.map((each) => [each.path, each])).values()];
}

/** A script that Node can start needs no permission to be executed; a command file of Windows needs a shell, and gets none. */
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

/** A package's entry, by its path. */
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
