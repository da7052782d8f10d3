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
