import type { Mutant } from './prove-mutants.ts';

export type KeyMutant = Mutant & { readonly keyOf: (key: string) => string };

/** What a store may take for the same key. */
export const keyMutants: readonly KeyMutant[] = [
  { name: 'one-key', wrong: 'keeps all under one key', keyOf: () => 'all' },
  { name: 'key-without-case', wrong: 'takes keys for one that differ only by case', keyOf: (key) => key.toLowerCase() },
  { name: 'key-trimmed', wrong: 'drops white space around a key', keyOf: (key) => key.trim() },
  { name: 'key-cut', wrong: 'looks at 64 characters of a key', keyOf: (key) => key.slice(0, 64) },
  { name: 'key-cut-late', wrong: 'looks at 4,000 characters of a key', keyOf: (key) => key.slice(0, 4_000) },
  {
    name: 'key-last-name',
    wrong: 'takes what follows the last slash for the key',
    keyOf: (key) => key.slice(key.lastIndexOf('/') + 1),
  },
  {
    name: 'key-composed',
    wrong: 'takes keys for one whose accents are composed in different ways',
    keyOf: (key) => key.normalize('NFC'),
  },
  {
    name: 'key-well-formed',
    wrong: 'replaces half a surrogate pair in a key',
    keyOf: (key) => Buffer.from(key).toString(),
  },
  {
    name: 'key-without-controls',
    wrong: 'drops control characters of a key',
    keyOf: (key) => key.replace(/\p{Cc}/gu, ''),
  },
  { name: 'key-of-language', wrong: 'drops a key that objects have', keyOf: (key) => (key in {} ? '' : key) },
];
