import type { Configuration } from './configuration.ts';

/** Where a directory of the settings lay when they were read. Any other path is taken for a real one. */
export function realPathOf({ pinnedPaths }: Pick<Configuration, 'pinnedPaths'>, path: string): string {
  return pinnedPaths.get(path) ?? path;
}
