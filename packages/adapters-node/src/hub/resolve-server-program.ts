import { isAbsolute } from 'node:path';
import { escapeName } from '@gemini-mcp/core/internal';
import { isExecutableFile } from '../programs/is-executable-file.ts';
import { describePathFault } from '../programs/path-fault.ts';
import type { ProgramPath } from '../programs/program-path.ts';

export type ResolvedProgram =
  | { readonly found: true; readonly path: string }
  /** `detail` says why, and what to do. */
  | { readonly found: false; readonly detail: string };

/**
 * Finds the program of a server: a name on the safe part of PATH, or an absolute path, which is the user's own word. Rejects where the
 * system has nothing left to look with.
 */
export async function resolveServerProgram(command: string, path: ProgramPath): Promise<ResolvedProgram> {
  const shown = escapeName(command).slice(0, 300);
  if (isAbsolute(command)) {
    return (await isExecutableFile(command))
      ? { found: true, path: command }
      : { found: false, detail: `${shown} is not there, or is no program that can be run.` };
  }
  if (command === '' || /[/\\]/.test(command)) {
    return { found: false, detail: `Name the program, or its absolute path: "${shown}" is neither.` };
  }
  const search = await path.search(command);
  if (search.path !== null) {
    return { found: true, path: search.path };
  }
  const passedOver = search.passedOver.map(({ fault }) => describePathFault(fault)).slice(0, 3);
  return {
    found: false,
    detail: [
      `"${shown}" was not found, or lies where others can write. Install it, or give its absolute path.`,
      ...passedOver,
    ].join(' '),
  };
}
