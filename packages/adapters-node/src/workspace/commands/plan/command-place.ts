import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { StepRefusal } from '@gemini-mcp/core';
import { escapeControls, isNoDirectory, notFound, outsideRoots } from '@gemini-mcp/core/internal';
import type { RealRoots } from '../../../disk/real-roots.ts';
import { isWithin } from '../../../processes/path-containment.ts';

export type CommandPaths = {
  readonly roots: RealRoots;
  /** The real path of the run's working directory. */
  readonly workingDirectory: string;
};

/** The path in the form that steps use: relative to the working directory, or absolute below another root. */
export function shownPath({ workingDirectory }: CommandPaths, path: string): string {
  return isWithin(workingDirectory, path) ? relative(workingDirectory, path).split(sep).join('/') || '.' : path;
}

/** The directory of a command line as a real path, or a sentence that explains why it is refused. */
export async function findDirectory(places: CommandPaths, path: string | null): Promise<string | StepRefusal> {
  const shown = escapeControls(path ?? '.');
  const real = await realPathOf(resolve(places.workingDirectory, path ?? '.'));
  if (real === null || !places.roots.contains(real)) {
    return outsideRoots(shown);
  }
  const found = await stat(real).catch(() => null);
  return found?.isDirectory() === true ? real : found === null ? notFound(shown) : isNoDirectory(shown);
}

/** The most names that a path can have. */
const maxNames = 4_096;

/**
 * The real path of a file that need not exist: links are followed as far as the path exists. A link to a missing target stays, and cannot
 * be opened. Null for a path with too many names.
 */
export async function realPathOf(path: string, depth = 0): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    const real = depth > maxNames || above === path ? null : await realPathOf(above, depth + 1);
    return real === null ? null : join(real, basename(path));
  }
}
