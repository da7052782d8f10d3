import { dirname, isAbsolute, join } from 'node:path';
import { homeDirectory } from '../../process/home-directory.ts';
import type { Environment } from '../environment/child-environment.ts';
import { geminiPackageName } from './gemini-package.ts';
import { listNewestFirst } from './list-newest-first.ts';
import { readNpmPrefix } from './read-npm-prefix.ts';

/** A directory that holds commands, or one that holds packages. */
export type CliPlace = { readonly kind: 'commands' | 'packages'; readonly directory: string };

export type CliPlacesOptions = {
  readonly environment: Environment;
  /** Where all users of a machine have commands; the usual directories unless given. */
  readonly sharedDirectories?: readonly string[];
};

/** Where npm and Homebrew put commands for all users. */
const sharedCommandDirectories: readonly string[] =
  process.platform === 'win32'
    ? []
    : ['/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/usr/bin'];

/** Where npm keeps global commands and packages next to a Node. */
export function placesNextToNode(nodePath: string): readonly CliPlace[] {
  const directory = dirname(nodePath);
  return [
    commands(directory),
    packages(join(directory, '..', 'lib', 'node_modules')),
    packages(join(directory, 'node_modules')),
  ];
}

/**
 * Where package and version managers put the CLI, most of which only a login shell has on its PATH. Of pnpm and Volta the
 * packages: their commands are scripts that need programs on PATH.
 */
export async function usualPlaces(options: CliPlacesOptions): Promise<readonly CliPlace[]> {
  const { environment, sharedDirectories = sharedCommandDirectories } = options;
  const home = homeDirectory(environment);
  const ofNpm = [await readNpmPrefix(home), join(home, '.npm-global'), join(home, '.local')];
  return [
    ...ofNpm.flatMap((prefix) => (prefix === null ? [] : placesOfPrefix(prefix))),
    ...absolute(environment['APPDATA']).map((data) => packages(join(data, 'npm', 'node_modules'))),
    ...sharedDirectories.map(commands),
    ...(await placesOfPnpm(environment, home)),
    ...placesOfVolta(environment, home),
    ...(await placesOfVersionManagers(environment, home)),
  ];
}

function placesOfPrefix(prefix: string): readonly CliPlace[] {
  return process.platform === 'win32' ? [packages(join(prefix, 'node_modules'))] : [commands(join(prefix, 'bin'))];
}

/** Below `global`, pnpm keeps a directory for each version of its layout. */
async function placesOfPnpm(environment: Environment, home: string): Promise<readonly CliPlace[]> {
  const homes = [
    ...absolute(environment['PNPM_HOME']),
    join(home, '.local', 'share', 'pnpm'),
    join(home, 'Library', 'pnpm'),
    ...absolute(environment['LOCALAPPDATA']).map((data) => join(data, 'pnpm')),
  ];
  const layouts = await Promise.all(homes.map((each) => directoriesIn(join(each, 'global'))));
  return layouts.flat().map((layout) => packages(join(layout, 'node_modules')));
}

function placesOfVolta(environment: Environment, home: string): readonly CliPlace[] {
  const homes = [
    ...absolute(environment['VOLTA_HOME']),
    join(home, '.volta'),
    ...absolute(environment['LOCALAPPDATA']).map((data) => join(data, 'Volta')),
  ];
  return homes.flatMap((each) => {
    const image = join(each, 'tools', 'image', 'packages', geminiPackageName);
    return [packages(join(image, 'lib', 'node_modules')), packages(join(image, 'node_modules'))];
  });
}

/** nvm, fnm, asdf and mise keep a Node for each version, with the commands that npm has installed next to it. */
async function placesOfVersionManagers(environment: Environment, home: string): Promise<readonly CliPlace[]> {
  const nvm = [...absolute(environment['NVM_DIR']), join(home, '.nvm')].map((each) => join(each, 'versions', 'node'));
  const fnm = [
    ...absolute(environment['FNM_DIR']),
    join(home, '.local', 'share', 'fnm'),
    join(home, 'Library', 'Application Support', 'fnm'),
    join(home, '.fnm'),
  ].map((each) => join(each, 'node-versions'));
  const asdf = [...absolute(environment['ASDF_DATA_DIR']), join(home, '.asdf')];
  const mise = [...absolute(environment['MISE_DATA_DIR']), join(home, '.local', 'share', 'mise')];
  const others = [
    ...asdf.map((each) => join(each, 'installs', 'nodejs')),
    ...mise.map((each) => join(each, 'installs', 'node')),
  ];
  const ofFnm = (await versionsIn(fnm)).map((version) => join(version, 'installation'));
  const prefixes = [...(await versionsIn(nvm)), ...ofFnm, ...(await versionsIn(others))];
  return prefixes.map((prefix) => commands(join(prefix, 'bin')));
}

async function versionsIn(directories: readonly string[]): Promise<readonly string[]> {
  return (await Promise.all(directories.map(directoriesIn))).flat();
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  return (await listNewestFirst(directory)).map((name) => join(directory, name));
}

function commands(directory: string): CliPlace {
  return { kind: 'commands', directory };
}

function packages(directory: string): CliPlace {
  return { kind: 'packages', directory };
}

/** A relative directory would lead wherever the server is started. */
function absolute(path: string | undefined): readonly string[] {
  return path !== undefined && isAbsolute(path) ? [path] : [];
}
