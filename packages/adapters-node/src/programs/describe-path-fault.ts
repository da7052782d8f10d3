import { escapeName } from '@gemini-mcp/core/internal';
import type { PathFault } from './path-fault.ts';

/** Says in one sentence why a program in a place is not run. */
export function describePathFault(fault: PathFault): string {
  const place = showPath(fault.place);
  switch (fault.kind) {
    case 'relative':
      return `${place} is a relative entry of PATH.`;
    case 'project':
      return `${place} belongs to a directory that calls may read, or in which the server was started.`;
    case 'npm-bin':
      return `${place} holds programs that the packages of a project bring.`;
    case 'owner':
      return `${place} belongs to another user (id ${fault.uid}).`;
    case 'writable':
      return `Other users can write to ${place}.`;
    case 'unreadable':
      return `${place} cannot be looked at.`;
  }
}

/** Longer ones say no more. */
const maxPathCharacters = 300;

/** A path for people: names in it may be a stranger's. */
export function showPath(path: string): string {
  return escapeName(path).slice(0, maxPathCharacters) || '(empty)';
}
