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
  /** Holds the directories of all runs, perhaps of several servers. */
  readonly runsDirectory: string;
  /** Called with each directory before it is removed, to release what its run held elsewhere. Must not throw. */
  readonly release: (runDirectory: string) => void;
  /** Milliseconds of a clock that is never set; that of the process when it is missing. */
  readonly nowMs?: () => number;
};

/** How a run looked, and since when it has looked like that. */
type RunObservation = { readonly stamp: string; readonly sinceMs: number };

const maxOwnerBytes = 4_096;

/**
 * Clears away what servers left that were killed: processes that carry the marker of their runs, and their directories.
 * Runs of living servers are not touched, nor is anything that is no run. What cannot be judged at once (the server was in
 * another container, or was killed while it made or removed the directory) is gone with a sweep half a minute later.
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

  /** Resolves to the ids of the runs that were cleared; what cannot be removed is left for the next time. Never rejects. */
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
      // It has just gone, or the system has nothing left to look with.
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

/** Rejects where the system does not let it look. */
async function judgeOwner(runDirectory: string): Promise<RunSigns['owner']> {
  const contents = await readContents(join(runDirectory, ownerFileName), maxOwnerBytes);
  if (contents === null || 'reason' in contents) {
    return 'none';
  }
  const owner = parseOwner(contents.value);
  if (owner === null) {
    return 'dead';
  }
  // The process id of a server in another container means nothing here.
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
  // One after the other: a thousand runs must not need a thousand descriptors.
  for (const name of names) {
    kept.push(...((await isKept(name)) ? [name] : []));
  }
  return kept;
}

/** What a file says as JSON, or why it is none that we have written. */
type Contents = { readonly value: unknown } | { readonly reason: string };

/** Reads a file of at most `maxBytes`. Resolves to null where there is none; rejects where the system refuses. */
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
    return { reason: 'not a file of its own' };
  }
  if (stats.size > maxBytes) {
    return { reason: `${stats.size} bytes, more than the ${maxBytes} that one may have` };
  }
  const bytes = await file.readFile();
  try {
    return isUtf8(bytes) ? { value: JSON.parse(decodeUtf8(bytes)) } : { reason: 'not JSON in UTF-8' };
  } catch {
    return { reason: 'not JSON in UTF-8' };
  }
}
