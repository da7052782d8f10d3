import { escapeName } from '@gemini-mcp/core/internal';

/** Why a program in a place must not run. `place` is the part of the path that decides it. */
export type PathFault =
  /** A relative or empty entry of PATH depends on where the server was started. */
  | { readonly kind: 'relative'; readonly place: string }
  /** It lies in, or leads through, a directory with a project's files. */
  | { readonly kind: 'project'; readonly place: string }
  /** npm fills `node_modules/.bin` with a project's programs. */
  | { readonly kind: 'npm-bin'; readonly place: string }
  | { readonly kind: 'owner'; readonly place: string; readonly uid: number }
  | { readonly kind: 'writable'; readonly place: string }
  /** It is missing or unreadable, or its links form a loop. */
  | { readonly kind: 'unreadable'; readonly place: string };

/** Explains in one sentence why a program in a place must not run. */
export function describePathFault(fault: PathFault): string {
  const place = showPath(fault.place);
  switch (fault.kind) {
    case 'relative':
      return `${place} is a relative entry of PATH.`;
    case 'project':
      return `${place} belongs to a directory that calls may read, or in which the server was started.`;
    case 'npm-bin':
      return `${place} holds programs that a project's packages install.`;
    case 'owner':
      return `${place} belongs to another user (id ${fault.uid}).`;
    case 'writable':
      return `Other users can write to ${place}.`;
    case 'unreadable':
      return `${place} cannot be inspected.`;
  }
}

/** Longer paths add nothing. */
const maxPathCharacters = 300;

/** Formats a path for people: its names may be a stranger's. */
export function showPath(path: string): string {
  return escapeName(path).slice(0, maxPathCharacters) || '(empty)';
}
