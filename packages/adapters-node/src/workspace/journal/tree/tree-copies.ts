import { readFileSync } from 'node:fs';
import { chmod, constants, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canOpenPaths, pathOfDescriptor } from '../../../disk/descriptor-paths.ts';
import { chooseDescriptorProof, closeDescriptor, openVerified } from '../../../disk/open-verified.ts';
import type { RealRoots } from '../../../disk/real-roots.ts';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';

const proof = chooseDescriptorProof();

/** Copies of files as they were before a command, private to this user. They share blocks with the files if the file system can. */
export class TreeCopies {
  readonly #directory: string;
  readonly #roots: RealRoots;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  #kept = 0;
  #count = 0;
  #bytes = 0;

  constructor(options: {
    readonly directory: string;
    readonly roots: RealRoots;
    readonly maxBytes: number;
    readonly maxFiles: number;
  }) {
    this.#directory = options.directory;
    this.#roots = options.roots;
    this.#maxBytes = options.maxBytes;
    this.#maxFiles = options.maxFiles;
  }

  /** Rejects if the system refuses. */
  async make(): Promise<void> {
    await mkdir(this.#directory, { mode: 0o700 });
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true }).catch(() => undefined);
  }

  /**
   * Copies a file and resolves to the copy's path. `share`: the share of the room for copies that may be in use afterwards. Null for a
   * secret, for an unreadable file, and without room: such a file cannot be restored. Rejects if no copies can be written at all.
   */
  async copy(path: string, sizeBytes: number, share: number): Promise<string | null> {
    const hasRoom = this.#bytes + sizeBytes <= share * this.#maxBytes && this.#kept < share * this.#maxFiles;
    if (isSensitivePath(path) || !hasRoom) {
      return null;
    }
    const opened = openVerified({ path, kind: 'file', roots: this.#roots, proof, followsLink: false });
    if (!opened.ok) {
      return null;
    }
    try {
      // A file reached through a link is a different one.
      return opened.realPath === path ? await this.#copyOpened(opened.descriptor, sizeBytes) : null;
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  /** Removes a copy that is no longer useful. Never rejects. */
  async drop(copy: string, sizeBytes: number): Promise<void> {
    this.#bytes -= sizeBytes;
    this.#kept -= 1;
    await rm(copy, { force: true }).catch(() => undefined);
  }

  async #copyOpened(descriptor: number, sizeBytes: number): Promise<string> {
    this.#count += 1;
    this.#kept += 1;
    this.#bytes += sizeBytes;
    const target = join(this.#directory, String(this.#count));
    if (canOpenPaths) {
      const flags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
      await copyFile(pathOfDescriptor(descriptor), target, flags);
      await chmod(target, 0o600);
    } else {
      await writeFile(target, readFileSync(descriptor), { flag: 'wx', mode: 0o600 });
    }
    return target;
  }
}
