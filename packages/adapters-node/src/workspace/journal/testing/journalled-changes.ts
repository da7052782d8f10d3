import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ChangeJournal, hashOf, type PathState } from '../file-state.ts';

/** Changes files as a run's tools do: each change is recorded before it is made. */
export class JournalledChanges {
  readonly #journal: ChangeJournal;

  constructor(journal: ChangeJournal) {
    this.#journal = journal;
  }

  async put(path: string, content: string, mode = 0o644): Promise<void> {
    await this.#makeDirectory(dirname(path));
    const bytes = Buffer.from(content);
    await this.#journal.record({
      path,
      before: await this.#look(path),
      after: { type: 'file', hash: hashOf(bytes), mode },
    });
    await writeFile(`${path}.draft`, bytes);
    await chmod(`${path}.draft`, mode);
    await rename(`${path}.draft`, path);
  }

  async remove(path: string): Promise<void> {
    await this.#journal.record({ path, before: await this.#look(path), after: { type: 'absent' } });
    await rm(path);
  }

  async #makeDirectory(path: string): Promise<void> {
    if (await lstat(path).catch(() => null)) {
      return;
    }
    await this.#makeDirectory(dirname(path));
    await this.#journal.record({ path, before: { type: 'absent' }, after: { type: 'directory' } });
    await mkdir(path);
  }

  async #look(path: string): Promise<PathState> {
    const stats = await lstat(path).catch(() => null);
    return stats === null
      ? { type: 'absent' }
      : { type: 'file', bytes: await readFile(path), mode: stats.mode & 0o7777 };
  }
}
