import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { readPrivateJson } from '../state/read-private-json.ts';
import { replacePrivateFile, sweepDrafts } from '../state/replace-private-file.ts';
import { parseLists, recordName } from './hub-record.ts';

/** Lists have 8 MB at most as their server writes them. */
const maxBytes = 32_000_000;

/** More configurations and owners than there are at a time: those that were saved longest ago go. */
const maxRecords = 1_000;

/** Keeps the lists of other servers as private files below `hub/lists`, one for each configuration and owner. Several processes may share them. */
export class FileKeptLists implements KeptLists {
  readonly #directory: string;
  #sweeping: Promise<void> | undefined;

  /** `stateDirectory` is for this user alone, and is made when it is needed. */
  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'hub', 'lists');
  }

  async load(key: string, signal: AbortSignal): Promise<ServerLists | null> {
    const read = signal.aborted ? null : await readPrivateJson(this.#pathOf(key), maxBytes);
    return read !== null && 'value' in read ? parseLists(key, read.value) : null;
  }

  async save(key: string, lists: ServerLists, signal: AbortSignal): Promise<void> {
    const text = JSON.stringify({ format: 1, key, lists });
    if (signal.aborted || Buffer.byteLength(text) > maxBytes) {
      return;
    }
    try {
      await ensurePrivateDirectory(this.#directory);
      await replacePrivateFile(this.#pathOf(key), text);
      this.#sweeping ??= this.#sweep();
      await this.#sweeping;
    } catch {
      // What cannot be kept is read again.
    }
  }

  async #sweep(): Promise<void> {
    await sweepDrafts(this.#directory);
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith('.json'));
    if (names.length <= maxRecords) {
      return;
    }
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#directory, name);
        return { path, savedAtMs: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
      }),
    );
    const old = found.sort((one, other) => other.savedAtMs - one.savedAtMs).slice(maxRecords);
    await Promise.all(old.map(({ path }) => unlink(path).catch(() => undefined)));
  }

  #pathOf(key: string): string {
    return join(this.#directory, `${recordName(key)}.json`);
  }
}
