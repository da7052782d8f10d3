import { relative, sep } from 'node:path';
import { isWithin } from '../../processes/path-containment.ts';

/**
 * The form of a real path in reports: relative to the working directory (`.` for itself) with `/` separators, absolute if it lies
 * elsewhere.
 */
export function displayPathOf(path: string, workingDirectory: string): string {
  const shown = isWithin(workingDirectory, path) ? relative(workingDirectory, path) || '.' : path;
  return sep === '/' ? shown : shown.replaceAll(sep, '/');
}
