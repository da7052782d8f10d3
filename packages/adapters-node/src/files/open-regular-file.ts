import { fstatSync, lstatSync, type Stats } from 'node:fs';
import { canOpenPlaces, openForReading, openPlace, pathOfDescriptor } from './descriptor-paths.ts';
import { closeDescriptor } from './open-verified.ts';

export type RegularFile = { readonly descriptor: number; readonly stats: Stats };

/**
 * Opens a regular file for reading; null for anything else, which is looked at and not opened. Does not follow a last link,
 * and asks nothing about where the file lies. Throws what the file system says; the caller closes the descriptor.
 */
export function openRegularFile(path: string): RegularFile | null {
  if (!canOpenPlaces) {
    const stats = lstatSync(path);
    return stats.isFile() ? { descriptor: openForReading(path, false), stats } : null;
  }
  const place = openPlace(path, false);
  try {
    const stats = fstatSync(place);
    return stats.isFile() ? { descriptor: openForReading(pathOfDescriptor(place)), stats } : null;
  } finally {
    closeDescriptor(place);
  }
}
