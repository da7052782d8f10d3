/** Names that a store could take for one owner, and some that a file system or an object could take for its own. */
export const ownersAlike: readonly string[] = [
  ...['alice', 'Alice', 'alice2', 'alice ', 'al', '../alice', 'bob/alice'],
  // Composed and decomposed: the same to a reader.
  ...['zo\u00e9', 'zoe\u0301'],
  ...['__proto__', 'constructor', '*'],
];
