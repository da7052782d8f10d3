/** Listing tells names, reading tells contents, looking tells whether something is there. */
export type FileAccess = 'list' | 'read' | 'look';

/** A confinement with each place under all its names. */
export type ConfinedPlaces = Readonly<
  Record<'own' | 'unlisted' | 'hidden' | 'open' | 'read' | 'programs', readonly string[]>
> & { readonly readsAnywhere: boolean; readonly separator: string };

/** Whether a confinement allows an access to an absolute, normal path. Runs inside the CLI. */
export function judgeFile(access: FileAccess, path: string, places: ConfinedPlaces): boolean {
  const { own, unlisted, hidden, open, read, programs, readsAnywhere, separator } = places;
  const isWithin = (inner: string, outer: string): boolean =>
    `${inner}${separator}`.startsWith(outer.endsWith(separator) ? outer : `${outer}${separator}`);
  const isBelow = (directories: readonly string[]): boolean => directories.some((outer) => isWithin(path, outer));
  const isOnTheWay = (): boolean => [...own, ...open, ...read].some((target) => isWithin(target, path));
  const isProgram = (): boolean => programs.includes(path.slice(0, path.lastIndexOf(separator)));
  if (isBelow(own)) {
    return access !== 'list' || !unlisted.includes(path);
  }
  if (isBelow(hidden)) {
    return access === 'look' && isOnTheWay();
  }
  if (isBelow(open)) {
    return true;
  }
  switch (access) {
    case 'list':
      return false;
    case 'read':
      return readsAnywhere || read.some((beginning) => path.startsWith(beginning));
    case 'look':
      return read.some((beginning) => path.startsWith(beginning)) || isOnTheWay() || isProgram();
  }
}
