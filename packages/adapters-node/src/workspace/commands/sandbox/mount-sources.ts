import { fstatSync, lstatSync, mkdirSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { openPath, pathOfDescriptor, realPathOfDescriptor } from '../../../disk/descriptor-paths.ts';
import { closeDescriptor } from '../../../disk/open-verified.ts';
import { isWithin } from '../../../processes/path-containment.ts';
import { type ExpectedMount, type Mount, parseMounts } from './mount-table.ts';
import type { ProjectMount } from './project-mounts.ts';
import { type SandboxPlace, sandboxHome } from './sandbox-view.ts';

/** Thrown if a project has just changed: the source of a mount is gone, or something else is in its place. */
export class ProjectChanged extends Error {
  constructor(path: string) {
    super(
      `${JSON.stringify(path)} was changed, moved or removed while the sandbox was being created. Run the command again`,
    );
  }
}

/** A mount, and how bubblewrap receives its source. */
export type OpenMount = ProjectMount & {
  /** Open if the place itself is mounted, else null. */
  readonly descriptor: number | null;
  /** The real path of the place: only a tool's directory is named through a link. */
  readonly realPath: string;
};

/**
 * Holds the sources of a project's mounts open. Each place was reached name by name from its root, without links, so that the mounted place
 * is the inspected one, wherever the paths lead later.
 */
export class MountSources {
  readonly mounts: readonly OpenMount[];
  readonly own: readonly Mount[] = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  readonly #held = new Map<string, number>();
  /** The covered places, by path. */
  readonly #covered = new Map<string, Stats>();

  /** Throws `ProjectChanged` if a place is not as it was found. The caller releases it. */
  constructor(mounts: readonly ProjectMount[], place: SandboxPlace) {
    try {
      this.mounts = mounts.map((mount) => this.#open(mount, place));
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** The mounts that the sandbox must show: these, and those of the run's directories. */
  expect(place: SandboxPlace): readonly ExpectedMount[] {
    const origins = new Map<string, Origin>();
    const originOf = (file: string): Origin => {
      const known = origins.get(file) ?? this.#findOrigin(file);
      origins.set(file, known);
      return known;
    };
    return [
      { path: '/tmp', isWritable: true, ...originOf(place.temporary) },
      { path: sandboxHome, isWritable: true, ...originOf(place.home) },
      ...this.mounts.map(({ path, isWritable, source, descriptor }) => ({
        path,
        isWritable,
        ...(source.type === 'cover' ? originOf(source.file) : this.#originOf(descriptor)),
      })),
    ];
  }

  /** The first covered path whose file was replaced since; null if all are the same. */
  findReplaced(): string | null {
    for (const [path, { dev, ino }] of this.#covered) {
      const stats = lstatSync(this.#reach(path), { throwIfNoEntry: false });
      if (stats?.ino !== ino || stats.dev !== dev) {
        return path;
      }
    }
    return null;
  }

  release(): void {
    for (const descriptor of this.#held.values()) {
      closeDescriptor(descriptor);
    }
    this.#held.clear();
  }

  #open(mount: ProjectMount, place: SandboxPlace): OpenMount {
    const { path, source, isWritable } = mount;
    switch (source.type) {
      case 'memory':
        makeMountPoint(path, place);
        return { ...mount, descriptor: null, realPath: path };
      case 'cover': {
        const descriptor = this.#walkTo(path);
        const stats = fstatSync(descriptor);
        closeDescriptor(descriptor);
        if (stats.isSymbolicLink() || stats.isDirectory() !== (source.kind === 'directory')) {
          throw new ProjectChanged(path);
        }
        this.#covered.set(path, stats);
        return { ...mount, descriptor: null, realPath: path };
      }
      case 'place': {
        const descriptor = this.#walkTo(path);
        this.#held.set(path, descriptor);
        const realPath = realPathOfDescriptor(descriptor);
        if (fstatSync(descriptor).isSymbolicLink() || (isWritable && realPath !== path)) {
          throw new ProjectChanged(path);
        }
        return { ...mount, descriptor, realPath };
      }
    }
  }

  /** Opens a place from the nearest open one above it. */
  #walkTo(path: string): number {
    const above = this.#nearest(path);
    if (above === null) {
      return openTop(path);
    }
    const names = relative(above.path, path).split(sep);
    let [at, mine]: readonly [number, boolean] = [above.descriptor, false];
    for (const name of names) {
      const next = openName(at, name, path);
      if (mine) {
        closeDescriptor(at);
      }
      [at, mine] = [next, true];
    }
    return at;
  }

  #reach(path: string): string {
    const above = this.#nearest(path);
    return above === null ? path : join(pathOfDescriptor(above.descriptor), relative(above.path, path));
  }

  #nearest(path: string): { readonly path: string; readonly descriptor: number } | null {
    for (let at = dirname(path); ; at = dirname(at)) {
      const descriptor = this.#held.get(at);
      if (descriptor !== undefined) {
        return { path: at, descriptor };
      }
      if (at === dirname(at)) {
        return null;
      }
    }
  }

  #findOrigin(file: string): Origin {
    const descriptor = openPath(file, false);
    try {
      return this.#originOf(descriptor);
    } finally {
      closeDescriptor(descriptor);
    }
  }

  #originOf(descriptor: number | null): Origin {
    if (descriptor === null) {
      return { device: null, root: null };
    }
    const id = Number(/^mnt_id:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]);
    const mount = this.own.find((one) => one.id === id);
    if (mount === undefined) {
      throw new Error('The system does not report which file system the project lies on');
    }
    return { device: mount.device, root: join(mount.root, relative(mount.path, realPathOfDescriptor(descriptor))) };
  }
}

type Origin = Pick<ExpectedMount, 'device' | 'root'>;

/** A root, or a directory of tools, which may be a link. */
function openTop(path: string): number {
  try {
    return openPath(path, true);
  } catch {
    throw new ProjectChanged(path);
  }
}

function openName(directory: number, name: string, path: string): number {
  try {
    return openPath(join(pathOfDescriptor(directory), name), false);
  } catch {
    throw new ProjectChanged(path);
  }
}

/** In the directories that commands see as `/tmp` or as their home. */
function makeMountPoint(path: string, { temporary, home }: SandboxPlace): void {
  const [shared, own] = isWithin('/tmp', path) ? ['/tmp', temporary] : [sandboxHome, home];
  mkdirSync(join(own, relative(shared, path)), { recursive: true });
}
