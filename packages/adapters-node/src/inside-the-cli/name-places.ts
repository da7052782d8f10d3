import type { Confinement } from './confine-files.ts';
import type { ConfinedPlaces } from './judge-file.ts';

/** What the functions of `node:fs` are given, as the names by which places are compared. Runs inside the CLI. */
export type PlaceNames = {
  readonly places: ConfinedPlaces;
  /** Null for what is no path, such as a descriptor. */
  readonly read: (given: unknown) => string | null;
};

export function namePlaces(requireModule: NodeJS.Require, confinement: Confinement): PlaceNames {
  const { resolve, sep }: typeof import('node:path') = requireModule('node:path');
  const { realpathSync }: typeof import('node:fs') = requireModule('node:fs');
  const { fileURLToPath }: typeof import('node:url') = requireModule('node:url');
  const fold = (path: string): string => (process.platform === 'win32' ? path.toLowerCase() : path);
  // The CLI uses both: the name that it was given, and the one that links lead to.
  const allNames = (path: string): readonly string[] => {
    // `resolve` takes the separator off the end, where it says that only what is below is meant.
    const end = path.endsWith(sep) && path !== sep ? sep : '';
    try {
      return [fold(resolve(path)) + end, fold(realpathSync(path)) + end];
    } catch {
      return [fold(resolve(path)) + end];
    }
  };
  return {
    places: {
      own: allNames(confinement.own),
      unlisted: confinement.unlisted.flatMap(allNames),
      hidden: confinement.hidden.flatMap(allNames),
      open: confinement.open.flatMap(allNames),
      read: confinement.read.flatMap(allNames),
      programs: confinement.programs.flatMap(allNames),
      readsAnywhere: confinement.readsAnywhere,
      separator: sep,
    },
    read: (given) => {
      const path = given instanceof URL ? fileURLToPath(given) : Buffer.isBuffer(given) ? given.toString() : given;
      return typeof path === 'string' ? fold(resolve(path)) : null;
    },
  };
}
