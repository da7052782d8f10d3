import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import { isWithin } from '../../processes/path-containment.ts';
import { findSecretSettings } from './sandbox/find-secret-settings.ts';
import type { CoveredPath } from './sandbox/sandbox-view.ts';

export type ToolDirectories = {
  /** The paths that the sandbox shows. */
  readonly paths: readonly string[];
  readonly directories: readonly string[];
  /** Variables by which some tools find their own files. */
  readonly variables: Readonly<Record<string, string>>;
  /** Logins of some tools, which stay hidden. */
  readonly masked: readonly CoveredPath[];
};

export type ToolDirectoriesOptions = {
  /** Absolute paths of directories. Missing ones are skipped. */
  readonly toolPaths: readonly string[];
  /** The Node that runs this program: commands get the same. */
  readonly execPath: string;
};

/** What the sandbox always shows. */
const systemPlaces = ['/usr', '/bin', '/sbin', '/nix/store', '/run/current-system'];

/** Inspects the directories of tools that commands may use. Throws only if the system is out of resources. */
export function findToolDirectories({ toolPaths, execPath }: ToolDirectoriesOptions): ToolDirectories {
  const isNodeShown = systemPlaces.some((place) => isWithin(place, execPath));
  const paths = [...new Set([...(isNodeShown ? [] : [placeOfNode(execPath)]), ...toolPaths])].filter((path) =>
    existsSync(path),
  );
  return {
    paths,
    directories: paths.flatMap(directoriesOf),
    variables: Object.assign({}, ...paths.map(variablesOf)),
    masked: paths.flatMap((path) => [...loginsIn(path), ...findSecretSettings(join(path, 'etc'))]),
  };
}

/** Includes the npm that came with it, if Node lies in its own directory. */
function placeOfNode(execPath: string): string {
  const directory = dirname(execPath);
  const above = dirname(directory);
  return basename(directory) === 'bin' && existsSync(join(above, 'lib', 'node_modules')) ? above : directory;
}

function directoriesOf(path: string): readonly string[] {
  const found = ['shims', 'bin'].map((name) => join(path, name)).filter((directory) => existsSync(directory));
  return found.length > 0 ? found : [path];
}

function variablesOf(path: string): Readonly<Record<string, string>> {
  return {
    ...(existsSync(join(path, 'bin', 'cargo')) && { CARGO_HOME: path }),
    ...(existsSync(join(path, 'toolchains')) && { RUSTUP_HOME: path }),
    ...(existsSync(join(path, 'shims')) && existsSync(join(path, 'versions')) && { PYENV_ROOT: path }),
  };
}

function loginsIn(path: string): readonly CoveredPath[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && isSensitivePath(join(basename(path), entry.name)))
    .map((entry) => ({ path: join(path, entry.name), kind: entry.isDirectory() ? 'directory' : 'file' }));
}
