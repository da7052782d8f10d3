import { dirname, join, relative, sep } from 'node:path';
import { isWithin, withoutInner } from '../../../processes/path-containment.ts';
import { type CoveredPath, type SandboxView, sandboxHome } from './sandbox-view.ts';

export type ProjectMount = {
  /** Its path in the sandbox: absolute and without links. */
  readonly path: string;
  /** The source: the place itself, a file or directory of ours over it, or an empty in-memory directory. */
  readonly source: MountSource;
  readonly isWritable: boolean;
};

type MountSource =
  | { readonly type: 'place' }
  | { readonly type: 'cover'; readonly file: string; readonly kind: CoveredPath['kind'] }
  | { readonly type: 'memory' };

/**
 * The mounts of projects and tools, in the order of mounting. Each directory between a root and a covered or protected place below it is
 * its own mount: the kernel refuses to rename or remove a mount point, so no process in a sandbox can move anything above a protected
 * place.
 */
export function projectMounts(view: SandboxView): readonly ProjectMount[] {
  const { writable, toolPaths, guarded, place } = view;
  const closed = view.masked.filter(({ kind }) => kind === 'directory').map(({ path }) => path);
  const fixed = [...toolPaths, ...guarded];
  const isSeen = outside(closed);
  const isLoose = outside([...closed, ...fixed.filter((path) => writable.some((root) => isWithin(root, path)))]);
  const mounts = [
    ...withoutInner(writable).map((path): ProjectMount => ({ path, source: itself, isWritable: true })),
    ...fixed.filter(isSeen).map((path): ProjectMount => ({ path, source: itself, isWritable: false })),
    ...view.held
      .filter(({ path }) => isLoose(path))
      .map((held) => coverWith(held, { file: place.emptyFile, directory: place.emptyDirectory })),
    ...view.masked
      .filter(({ path }) => isSeen(path))
      .map((masked) => coverWith(masked, { file: place.lockedFile, directory: place.lockedDirectory })),
  ];
  const taken = new Set(mounts.map(({ path }) => path));
  const pins = [...pathsBetween(writable, mounts)].filter((path) => !taken.has(path) && isLoose(path));
  return [
    ...directoriesInMemory(mounts).map(
      (path): ProjectMount => ({ path, source: { type: 'memory' }, isWritable: false }),
    ),
    ...pins.map((path): ProjectMount => ({ path, source: itself, isWritable: true })),
    ...mounts,
  ].toSorted((one, other) => depthOf(one) - depthOf(other));
}

const itself: MountSource = { type: 'place' };

function coverWith(
  { path, kind, file: shown }: CoveredPath,
  { file, directory }: { readonly file: string; readonly directory: string },
): ProjectMount {
  return {
    path,
    source: { type: 'cover', file: shown ?? (kind === 'file' ? file : directory), kind },
    isWritable: false,
  };
}

/** Whether a path lies strictly below none of the directories. */
function outside(directories: readonly string[]): (path: string) => boolean {
  const known = new Set(directories);
  return (path) => !ancestorsOf(path).some((above) => known.has(above));
}

/** All directories above a path, the nearest first. */
function ancestorsOf(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestorsOf(above)];
}

/** The directories between a root and a mount below it. */
function pathsBetween(roots: readonly string[], mounts: readonly ProjectMount[]): ReadonlySet<string> {
  const tops = withoutInner(roots);
  const found = new Set<string>();
  for (const { path } of mounts) {
    const root = tops.find((top) => isWithin(top, path));
    for (let at = dirname(path); root !== undefined && at !== root && isWithin(root, at); at = dirname(at)) {
      found.add(at);
    }
  }
  return found;
}

/** Commands can write in `/tmp` and in the home, so the directories there that lead to a project are in memory instead. */
function directoriesInMemory(mounts: readonly ProjectMount[]): readonly string[] {
  const paths = new Set(mounts.map(({ path }) => path));
  const found = new Set<string>();
  for (const path of paths) {
    const shared = ['/tmp', sandboxHome].find((directory) => directory !== path && isWithin(directory, path));
    const [first] = shared === undefined ? [] : relative(shared, path).split(sep);
    const top = shared === undefined || first === undefined ? null : join(shared, first);
    if (top !== null && !paths.has(top) && !paths.has(shared ?? '')) {
      found.add(top);
    }
  }
  return [...found];
}

function depthOf({ path }: ProjectMount): number {
  return path.split('/').length;
}
