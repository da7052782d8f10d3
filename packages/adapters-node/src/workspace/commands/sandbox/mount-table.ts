import { dirname } from 'node:path';
import { isWithin } from '../../../processes/path-containment.ts';

/** A line of `mountinfo`, as in proc_pid_mountinfo(5). */
export type Mount = {
  readonly id: number;
  readonly parent: number;
  /** The device number (major:minor) of the file system. */
  readonly device: string;
  /** The path within its file system that is mounted. */
  readonly root: string;
  readonly path: string;
  readonly isWritable: boolean;
};

/** A mount that a sandbox must show. `device` and `root` are null for an in-memory file system. */
export type ExpectedMount = Pick<Mount, 'path' | 'isWritable'> & {
  readonly device: string | null;
  readonly root: string | null;
};

export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id, parent, device = '', root = '', path = '', options = ''] = line.split(' ');
      return {
        ...{ id: Number(id), parent: Number(parent), device },
        root: unescapeName(root),
        path: unescapeName(path),
        isWritable: options.split(',').includes('rw'),
      };
    });
}

/** Blanks, line ends and backslashes are written as octal numbers. */
function unescapeName(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

export type ComparedMounts = {
  readonly expected: readonly ExpectedMount[];
  readonly found: readonly Mount[];
  /** The mounts of this process: those below a root come along with it. */
  readonly own: readonly Mount[];
  /** Below these there are only the expected mounts and those that come along. */
  readonly tops: readonly string[];
};

/** The first path at which a sandbox is not confined as requested; null if all are. */
export function findMisplaced({ expected, found, own, tops }: ComparedMounts): string | null {
  const visible = new Map(keepVisible(found).map((mount) => [mount.path, mount]));
  const wanted = new Map(expected.map((mount) => [mount.path, mount]));
  for (const mount of wanted.values()) {
    if (!fits(mount, visible.get(mount.path))) {
      return mount.path;
    }
  }
  const known = new Set(own.map(keyOf));
  const strays = [...visible.values()].filter(
    ({ path }) => !wanted.has(path) && tops.some((top) => isWithin(top, path)),
  );
  return strays.find((mount) => !known.has(keyOf(mount)))?.path ?? null;
}

/** Drops mounts that others hide: those at the same place, and those on a directory above. */
function keepVisible(mounts: readonly Mount[]): readonly Mount[] {
  const byId = new Map(mounts.map((mount) => [mount.id, mount]));
  const pathsOn = new Map<number, Set<string>>();
  for (const { parent, path } of mounts) {
    pathsOn.set(parent, (pathsOn.get(parent) ?? new Set()).add(path));
  }
  const isHidden = ({ parent, path }: Mount): boolean => {
    const above = byId.get(parent);
    const beside = pathsOn.get(parent);
    let at = dirname(path);
    while (above !== undefined && at !== above.path && at !== dirname(at) && beside?.has(at) !== true) {
      at = dirname(at);
    }
    return above !== undefined && path !== above.path && at !== above.path && beside?.has(at) === true;
  };
  const isReached = (mount: Mount): boolean => {
    const above = byId.get(mount.parent);
    const isOnTop = above === undefined || mount.path === above.path || pathsOn.get(above.id)?.has(above.path) !== true;
    return isOnTop && !isHidden(mount) && (above === undefined || isReached(above));
  };
  return mounts.filter((mount) => pathsOn.get(mount.id)?.has(mount.path) !== true && isReached(mount));
}

function fits(wanted: ExpectedMount, mount: Mount | undefined): boolean {
  return (
    mount !== undefined &&
    mount.isWritable === wanted.isWritable &&
    (wanted.device === null || mount.device === wanted.device) &&
    (wanted.root === null || mount.root === wanted.root)
  );
}

function keyOf({ device, root, path }: Mount): string {
  return `${device} ${root} ${path}`;
}
