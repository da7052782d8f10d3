/** Names that a store could confuse with one another, or with a name of the file system or a member of every object. */
export const ownersAlike: readonly string[] = [
  ...['alice', 'Alice', 'alice2', 'alice ', 'al', '../alice', 'bob/alice'],
  // Composed and decomposed: the same to a reader.
  ...['zo\u00e9', 'zoe\u0301'],
  ...['__proto__', 'constructor', '*'],
];
