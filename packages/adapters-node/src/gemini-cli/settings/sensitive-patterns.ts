import { namePatternsOf, sensitiveList } from '../../files/sensitive-list.ts';

/**
 * What looks like a secret, as lines of an ignore file: the CLI asks those in the directory that it runs in, by the name that
 * was given and by the one that a link leads to, in any case. They say what `isSensitivePath` says, but for other ways of
 * Unicode to write a name.
 */
export const sensitivePatterns: readonly string[] = [
  ...namePatternsOf(sensitiveList),
  ...sensitiveList.harmless.map((pattern) => `!${pattern}`),
  // Last, so that nothing of them is shown again.
  ...sensitiveList.places.map((path) => `**/${path}`),
  ...sensitiveList.files.map((path) => `**/${path}*`),
];
