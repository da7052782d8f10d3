import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptPins, ToolPin } from '@gemini-mcp/core/internal';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { describeWriteError } from '../state/describe-write-error.ts';
import { isMissing } from '../state/error-code.ts';
import { readPrivateJson } from '../state/read-private-json.ts';
import { replacePrivateFile, sweepDrafts } from '../state/replace-private-file.ts';
import { parsePins, recordName } from './hub-record.ts';

/** A definition is longer than what its server has said, which is 8 MB for all. */
const maxBytes = 64_000_000;

/** So many additions are made one. */
const maxFiles = 8;

/** None goes by itself: a server whose pins are gone could say anything. */
const maxKeys = 10_000;

const fileName = /^(\d{15})-[0-9a-f]{12}\.json$/;

/**
 * Keeps pins as private files below `hub/pins`, in a directory for each configuration and owner. Each addition is a file of its own, and the
 * later ones count: no file has two writers, so that none is lost when two write at once, or one is killed.
 */
export class FileKeptPins implements KeptPins {
  readonly #directory: string;

  /** `stateDirectory` is for this user alone, and is made when it is needed. */
  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'hub', 'pins');
  }

  async load(key: string, signal: AbortSignal): Promise<readonly ToolPin[] | null> {
    try {
      const names = this.#namesOf(key);
      // Files that have gone were joined to one that was not listed yet.
      return names.length === 0 ? null : ((await this.#readAll(key, names)) ?? (await this.load(key, signal)));
    } catch (error) {
      return isMissing(error) ? null : [];
    }
  }

  async add(key: string, pins: readonly ToolPin[], signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) {
      return notKept('it was not wanted any more');
    }
    try {
      await ensurePrivateDirectory(this.#directory);
      const own = this.#placeOf(key);
      const known = await readdir(this.#directory);
      if (known.length >= maxKeys && !known.includes(recordName(key))) {
        return notKept(`there are ${maxKeys} already`);
      }
      await ensurePrivateDirectory(own);
      await sweepDrafts(own);
      const before = this.#namesOf(key);
      await this.#write(key, pins, Math.max(Date.now(), timeOf(before) + 1));
      if (before.length >= maxFiles) {
        await this.#join(key, before);
      }
      return null;
    } catch (error) {
      return notKept(describeWriteError(error));
    }
  }

  /** The older ones go after there is one with all that they say, unless another writer joins them. It counts as late as the latest of them. */
  async #join(key: string, names: readonly string[]): Promise<void> {
    const pins = await this.#readAll(key, names);
    if (pins === null) {
      return;
    }
    await this.#write(key, pins, timeOf(names));
    await Promise.all(names.map((name) => unlink(join(this.#placeOf(key), name)).catch(() => undefined)));
  }

  /** Each file has a name of its own: to replace one would lose what another writer has joined to it. */
  async #write(key: string, pins: readonly ToolPin[], time: number): Promise<void> {
    const name = `${String(time).padStart(15, '0')}-${randomBytes(6).toString('hex')}.json`;
    await replacePrivateFile(join(this.#placeOf(key), name), textOf(key, pins));
  }

  /** The earliest first. Synchronous for the same reason as `readPrivateJson`. */
  #namesOf(key: string): readonly string[] {
    return readdirSync(this.#placeOf(key))
      .filter((name) => fileName.test(name))
      .sort();
  }

  /** What cannot be read says nothing. Null if a file has gone. */
  async #readAll(key: string, names: readonly string[]): Promise<readonly ToolPin[] | null> {
    const pins = new Map<string, ToolPin>();
    for (const name of names) {
      const read = await readPrivateJson(join(this.#placeOf(key), name), maxBytes);
      if (read === null) {
        return null;
      }
      for (const pin of 'value' in read ? parsePins(key, read.value) : []) {
        pins.set(pin.tool, pin);
      }
    }
    return [...pins.values()];
  }

  #placeOf(key: string): string {
    return join(this.#directory, recordName(key));
  }
}

/** When the latest of some files was written. */
function timeOf(names: readonly string[]): number {
  return Number(names.at(-1)?.slice(0, 15) ?? 0);
}

function textOf(key: string, pins: readonly ToolPin[]): string {
  const text = JSON.stringify({ format: 1, key, pins });
  if (Buffer.byteLength(text) > maxBytes) {
    throw new Error(`it has more than ${maxBytes} bytes`);
  }
  return text;
}

function notKept(why: string): string {
  return `What the tools are approved as could not be kept: ${why}.`;
}
