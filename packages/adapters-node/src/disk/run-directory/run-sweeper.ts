import { isUtf8 } from 'node:buffer';
import { type FileHandle, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endMarkedProcesses } from '../../processes/marked-processes.ts';
import { ownPidRealm } from '../../processes/pid-realm.ts';
import { isAlive } from '../../processes/process-identity.ts';
import { openContents } from '../durable/open-contents.ts';
import { decodeUtf8 } from '../text-decoding.ts';
import { isRunId, ownerFileName, removeAbandoned, removeTree } from './run-directory.ts';
import { isLeftBehind, parseOwner, type RunSigns } from './run-owner.ts';

export type RunSweeperOptions = {
  /** Holds the directories of all runs, possibly of several servers. */
  readonly runsDirectory: string;
  /** Called with each directory before its removal, to release anything that its run holds elsewhere. Must not throw. */
  readonly release: (runDirectory: string) => void;
  /** A monotonic clock in milliseconds; defaults to the process's own. */
  readonly nowMs?: () => number;
};

/** The state of a run, and since when it has been in that state. */
type RunObservation = { readonly stamp: string; readonly sinceMs: number };

const maxOwnerBytes = 4_096;

/**
 * Clears up after killed servers: the processes that carry the marker of their runs, and the run directories. Leaves runs of living servers
 * and anything that is not a run alone. A run that cannot be judged at once (its server was in another container, or was killed while it
 * created or removed the directory) is cleared by a sweep half a minute later.
 */
export class RunSweeper {
  readonly #runsDirectory: string;
  readonly #release: (runDirectory: string) => void;
  readonly #nowMs: () => number;
  #sightings = new Map<string, RunObservation>();

  constructor({ runsDirectory, release, nowMs = () => performance.now() }: RunSweeperOptions) {
    this.#runsDirectory = runsDirectory;
    this.#release = release;
    this.#nowMs = nowMs;
  }

  /** Resolves to the ids of the cleared runs; anything that cannot be removed is left for the next time. Never rejects. */
  async sweep(): Promise<readonly string[]> {
    await removeAbandoned();
    const names = await readdir(this.#runsDirectory).catch(() => null);
    const present = (names ?? []).filter(isRunId);
    const left = await keepIf(present, (runId) => this.#isLeft(runId));
    if (names !== null) {
      this.#sightings = new Map([...this.#sightings].filter(([runId]) => present.includes(runId)));
    }
    if (left.length > 0) {
      await endMarkedProcesses(new Set(left));
    }
    return keepIf(left, (runId) => this.#remove(join(this.#runsDirectory, runId)));
  }

  async #isLeft(runId: string): Promise<boolean> {
    try {
      const path = join(this.#runsDirectory, runId);
      const directory = await lstat(path);
      if (!directory.isDirectory()) {
        return false;
      }
      const ownerFile = await lstat(join(path, ownerFileName)).catch(() => null);
      const unchangedMs = this.#see(runId, `${directory.mtimeMs} ${ownerFile?.ino} ${ownerFile?.mtimeMs}`);
      return isLeftBehind({ owner: await judgeOwner(path), unchangedMs });
    } catch {
      // The directory is already gone, or the system is out of resources.
      return false;
    }
  }

  async #remove(path: string): Promise<boolean> {
    this.#release(path);
    return removeTree(path).then(
      () => true,
      () => false,
    );
  }

  #see(runId: string, stamp: string): number {
    const nowMs = this.#nowMs();
    const known = this.#sightings.get(runId);
    const sighting = known?.stamp === stamp ? known : { stamp, sinceMs: nowMs };
    this.#sightings.set(runId, sighting);
    return nowMs - sighting.sinceMs;
  }
}

/** Rejects if the system is out of resources. */
async function judgeOwner(runDirectory: string): Promise<RunSigns['owner']> {
  const contents = await readContents(join(runDirectory, ownerFileName), maxOwnerBytes);
  if (contents === null || 'reason' in contents) {
    return 'none';
  }
  const owner = parseOwner(contents.value);
  if (owner === null) {
    return 'dead';
  }
  // The process id of a server in another container is meaningless here.
  if (owner.realm !== undefined && owner.realm !== ownPidRealm()) {
    return 'out-of-reach';
  }
  return isAlive(owner) ? 'alive' : 'dead';
}

async function keepIf(
  names: readonly string[],
  isKept: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept: string[] = [];
  // One at a time: a thousand runs must not need a thousand descriptors.
  for (const name of names) {
    kept.push(...((await isKept(name)) ? [name] : []));
  }
  return kept;
}

/** The parsed JSON of a file, or why we cannot have written it. */
type Contents = { readonly value: unknown } | { readonly reason: string };

/** Reads a file of at most `maxBytes`. Resolves to null if the file is missing; rejects if the system refuses. */
async function readContents(path: string, maxBytes: number): Promise<Contents | null> {
  const file = await openContents(path);
  if (file === null || 'reason' in file) {
    return file;
  }
  try {
    return await parseContents(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function parseContents(file: FileHandle, maxBytes: number): Promise<Contents> {
  const stats = await file.stat();
  if (!stats.isFile()) {
    return { reason: 'not a regular file' };
  }
  if (stats.size > maxBytes) {
    return { reason: `${stats.size} bytes, more than the limit of ${maxBytes}` };
  }
  const bytes = await file.readFile();
  try {
    return isUtf8(bytes) ? { value: JSON.parse(decodeUtf8(bytes)) } : { reason: 'not JSON in UTF-8' };
  } catch {
    return { reason: 'not JSON in UTF-8' };
  }
}
