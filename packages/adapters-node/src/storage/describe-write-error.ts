import { errorCode } from '../processes/error-code.ts';

const reasons: ReadonlyMap<string | null, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EDQUOT', "the user's disk quota is used up"],
  ['EACCES', 'the server cannot write to its state directory'],
  ['EPERM', 'the server cannot write to its state directory'],
  ['EROFS', 'the disk of the state directory is read-only'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EFBIG', 'the file would exceed the size limit'],
  ['EIO', 'the disk failed'],
]);

/** Why a write failed, in words for a user, with the system's error code if there is one. */
export function describeWriteError(error: unknown): string {
  const code = errorCode(error);
  if (code === null) {
    return error instanceof Error ? error.message : 'the state directory cannot be used';
  }
  return `${reasons.get(code) ?? 'the state directory cannot be used'} (${code})`;
}
