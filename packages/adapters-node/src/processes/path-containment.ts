import { sep } from 'node:path';

/** Whether a path is a directory or lies below it. Both are absolute and normalised. */
export function isWithin(directory: string, path: string): boolean {
  const isPrefix = path.startsWith(directory);
  return isPrefix && (path.length === directory.length || directory.endsWith(sep) || path[directory.length] === sep);
}

/** The path of an entry of a directory. The name is used literally. */
export function entryPath(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** Drops paths that lie below another of them. */
export function withoutInner(paths: readonly string[]): readonly string[] {
  return paths.filter((one) => !paths.some((other) => other !== one && isWithin(other, one)));
}
