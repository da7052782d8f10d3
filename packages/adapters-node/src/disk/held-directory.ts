import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isWithin } from '../processes/path-containment.ts';
import { pathOfDescriptor, realPathOfDescriptor } from './descriptor-paths.ts';
import { closeDescriptor, type DescriptorProof, type Opened, openVerified } from './open-verified.ts';
import type { RealRoots } from './real-roots.ts';
import type { Refusal } from './refusal.ts';

export type HoldRequest = {
  /** A path without links. */
  readonly path: string;
  readonly roots: Pick<RealRoots, 'contains'>;
  readonly proof: DescriptorProof;
  /** As for `openVerified`. */
  readonly base?: HeldDirectory | undefined;
};

/**
 * A directory that stays open while it is in use, so that its path is followed once. Opening proved that it is the directory at that very
 * path and lies below a root.
 *
 * With `second-look` nothing can be opened from a descriptor: paths are followed again, and their targets checked twice, as for
 * `openVerified`.
 */
export class HeldDirectory {
  readonly realPath: string;
  readonly #opened: Opened;
  readonly #proof: DescriptorProof;

  private constructor(opened: Opened, proof: DescriptorProof) {
    this.realPath = opened.realPath;
    this.#opened = opened;
    this.#proof = proof;
  }

  /** The caller releases it. */
  static open({ path, roots, proof, base }: HoldRequest): HeldDirectory | Refusal {
    const opened = openVerified({ path, kind: 'directory', roots, proof, followsLink: false, base });
    if (!opened.ok) {
      return opened;
    }
    if (opened.realPath !== path) {
      closeDescriptor(opened.descriptor);
      return { ok: false, reason: 'unreadable', detail: 'a link is in its place' };
    }
    return new HeldDirectory(opened, proof);
  }

  /** The path of the directory itself; it works even for a user who may not list the directory. */
  get path(): string {
    return this.#proof === 'kernel-link' ? pathOfDescriptor(this.#opened.descriptor) : this.realPath;
  }

  /** A path as reached from the open directory; the path itself if it lies outside or if the system cannot do this. */
  pathOf(path: string): string {
    if (this.#proof === 'second-look' || !isWithin(this.realPath, path)) {
      return path;
    }
    // With a name at its end, even `.`, the path leads to the place itself when the last link is not followed.
    return [pathOfDescriptor(this.#opened.descriptor), relative(this.realPath, path) || '.'].join(sep);
  }

  /** Whether the path still leads to this directory. */
  get isInPlace(): boolean {
    const { descriptor, stats } = this.#opened;
    if (this.#proof === 'kernel-link') {
      return realPathOfDescriptor(descriptor) === this.realPath;
    }
    const found = statSync(this.realPath, { throwIfNoEntry: false });
    const isSame = found?.ino === stats.ino && found.dev === stats.dev;
    return isSame && realpathSync.native(this.realPath) === this.realPath;
  }

  release(): void {
    closeDescriptor(this.#opened.descriptor);
  }
}
