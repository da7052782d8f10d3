import { existsSync, mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/**
 * Keeps names free in projects while commands run: something empty lies there, over which the sandbox puts what cannot be written. Commands
 * that run at the same time share it, and the last one takes it away.
 */
export class NameHolder {
  readonly #holders = new Map<string, number>();

  /**
   * Holds what is free of these paths, and returns that. What is there already is left alone, as is what cannot be made: no command can
   * make it either. The caller releases what was returned.
   */
  hold(paths: readonly CoveredPath[]): readonly CoveredPath[] {
    return paths.filter((place) => {
      const holders = this.#holders.get(place.path) ?? 0;
      const isHeld = holders > 0 || make(place);
      if (isHeld) {
        this.#holders.set(place.path, holders + 1);
      }
      return isHeld;
    });
  }

  /** Those of the paths that are free, or are held for another command by now. */
  whatMayBeHeld(paths: readonly CoveredPath[]): readonly CoveredPath[] {
    return paths.filter(({ path }) => this.#holders.has(path) || !existsSync(path));
  }

  release(paths: readonly CoveredPath[]): void {
    for (const place of paths) {
      const holders = (this.#holders.get(place.path) ?? 1) - 1;
      if (holders > 0) {
        this.#holders.set(place.path, holders);
      } else {
        this.#holders.delete(place.path);
        takeAway(place);
      }
    }
  }
}

/** Only what is still empty: what somebody has put there meanwhile is theirs. */
export function takeAway({ path, kind }: CoveredPath): void {
  try {
    if (kind === 'directory') {
      rmdirSync(path);
    } else if (statSync(path).size === 0) {
      unlinkSync(path);
    }
  } catch {
    // It has gone, or is not empty any more.
  }
}

function make({ path, kind }: CoveredPath): boolean {
  try {
    if (kind === 'directory') {
      mkdirSync(path);
    } else {
      writeFileSync(path, '', { flag: 'wx' });
    }
    return true;
  } catch {
    return false;
  }
}
