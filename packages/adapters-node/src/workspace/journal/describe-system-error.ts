import { errorCode } from '../../processes/error-code.ts';

const reasons: ReadonlyMap<string | null, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EDQUOT', "the user's share of the disk is used up"],
  ['EFBIG', 'the file would be larger than it may be'],
  ['EACCES', 'this user may not'],
  ['EPERM', 'this user may not'],
  ['EROFS', 'the disk may only be read'],
  ['ENOTEMPTY', 'there is something else in the directory'],
  ['EEXIST', 'there is something else in the directory'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the disk failed'],
  ['ENAMETOOLONG', 'a path is longer than the system takes'],
  ['EBUSY', 'something else is using it'],
]);

/** Why the system did not do it, in words that end a sentence, with the system's code where there is one. */
export function describeSystemError(error: unknown): string {
  const code = errorCode(error);
  if (code === null) {
    return error instanceof Error ? error.message : 'the system refused';
  }
  return `${reasons.get(code) ?? 'the system refused'} (${code})`;
}
