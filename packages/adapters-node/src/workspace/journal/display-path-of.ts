import { relative, sep } from 'node:path';
import { isWithin } from '../../processes/path-containment.ts';

/** How reports name a real path: relative to the working directory (`.` for itself) with `/` separators, absolute where it lies elsewhere. */
export function displayPathOf(path: string, workingDirectory: string): string {
  const shown = isWithin(workingDirectory, path) ? relative(workingDirectory, path) || '.' : path;
  return sep === '/' ? shown : shown.replaceAll(sep, '/');
}
