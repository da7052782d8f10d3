import { escapeName } from '@gemini-mcp/core/internal';

/** Why a program in a place is not run. `place` is the part of the path that decides it. */
export type PathFault =
  /** A relative or empty entry of PATH leads wherever the server is started. */
  | { readonly kind: 'relative'; readonly place: string }
  /** It lies in, or leads through, a directory whose files are a project's. */
  | { readonly kind: 'project'; readonly place: string }
  /** npm fills `node_modules/.bin` with the programs of a project. */
  | { readonly kind: 'npm-bin'; readonly place: string }
  | { readonly kind: 'owner'; readonly place: string; readonly uid: number }
  | { readonly kind: 'writable'; readonly place: string }
  /** It is not there, cannot be looked at, or links lead in a circle. */
  | { readonly kind: 'unreadable'; readonly place: string };

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
