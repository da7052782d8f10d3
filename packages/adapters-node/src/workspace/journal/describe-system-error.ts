import { errorCode } from '../../processes/error-code.ts';

const reasons: ReadonlyMap<string | null, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EDQUOT', "the user's disk quota is used up"],
  ['EFBIG', 'the file would exceed the size limit'],
  ['EACCES', 'this user does not have permission'],
  ['EPERM', 'this user does not have permission'],
  ['EROFS', 'the disk is read-only'],
  ['ENOTEMPTY', 'the directory is not empty'],
  ['EEXIST', 'the directory is not empty'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the disk failed'],
  ['ENAMETOOLONG', 'a path is longer than the system allows'],
  ['EBUSY', 'another program is using it'],
]);

/** Explains a system error in words that end a sentence, with the system's code if there is one. */
export function describeSystemError(error: unknown): string {
  const code = errorCode(error);
  if (code === null) {
    return error instanceof Error ? error.message : 'the system refused';
  }
  return `${reasons.get(code) ?? 'the system refused'} (${code})`;
}
