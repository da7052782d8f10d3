import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openContents } from '../../disk/durable/open-contents.ts';
import { syncDirectory } from '../../disk/durable/sync-directory.ts';
import { hashOf } from './file-state.ts';

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** File contents by hash, private to this user: each is stored once, completely and flushed to the disk, or not at all. */
export class SavedContents {
  readonly #directory: string;
  readonly #known = new Set<string>();
  #drafts = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  has(hash: string): boolean {
    return this.#known.has(hash);
  }

  /** If the system refuses, rejects and leaves nothing. */
  async keep(hash: string, content: Uint8Array): Promise<void> {
    if (this.#known.has(hash)) {
      return;
    }
    await this.#make();
    const draft = this.#draft();
    try {
      const file = await open(draft, draftFlags, 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(this.#directory, hash));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncDirectory(this.#directory);
    this.#known.add(hash);
  }

  /** Takes over a file of ours with that content. */
  async adopt(hash: string, path: string): Promise<void> {
    await this.#make();
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, join(this.#directory, hash));
    await syncDirectory(this.#directory);
    this.#known.add(hash);
  }

  /** Null if the content is missing or damaged. Rejects if the system refuses. */
  async read(hash: string): Promise<Buffer | null> {
    const file = await openContents(join(this.#directory, hash));
    if (file === null || 'reason' in file) {
      return null;
    }
    try {
      const content = await file.readFile();
      return hashOf(content) === hash ? content : null;
    } finally {
      await file.close();
    }
  }

  async #make(): Promise<void> {
    await mkdir(this.#directory, { mode: 0o700 }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        throw error;
      }
    });
  }

  #draft(): string {
    this.#drafts += 1;
    return join(this.#directory, `.new-${this.#drafts}`);
  }
}
