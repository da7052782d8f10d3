/** Keys that a store could take for one, and some that a file system or an object could take for its own. */
export const keysAlike: readonly string[] = [
  ...['a'.repeat(64), 'b'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65)],
  ...['', ' ', 'a', 'a ', '\u0000a', '../a', '../../../a', 'b/a', '*'],
  // Composed and decomposed: the same to a reader.
  ...['zo\u00e9', 'zoe\u0301'],
  // Half a character, and what takes its place in UTF-8.
  ...['\ud83d', '\ufffd'],
  ...['__proto__', 'constructor'],
  ...[`${'x'.repeat(5_000)}1`, `${'x'.repeat(5_000)}2`],
];
