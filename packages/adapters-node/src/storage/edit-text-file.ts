import { randomBytes } from 'node:crypto';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { syncDirectory } from '../disk/durable/sync-directory.ts';
import { errorCode, isMissing } from '../processes/error-code.ts';

export type EditTextFileOptions = {
  /** Absolute. A link is followed and its target written. */
  readonly path: string;
  /** A real path below which the file must lie, even through links; null for a file of the user's own. */
  readonly below: string | null;
  /**
   * Maps the current text (null if the file is missing) to the new one. Return the same text, null, or an empty text for a missing file to
   * leave the file alone.
   */
  readonly edit: (text: string | null) => string | null;
  /** Whether to remove other users' permissions from an existing file. A new file never has any. */
  readonly isPrivate: boolean;
};

export type EditedTextFile =
  | { readonly type: 'written' | 'unchanged' }
  /** Why the file could not be written, in words for a user. The file is unchanged. */
  | { readonly type: 'failed'; readonly reason: string };

/** Some clients keep their history in their settings. */
const maxBytes = 20_000_000;

/** How long to wait for another writer. */
const maxTries = 200;
const pauseMs = 25;

/** A killed writer leaves its lock. */
const staleMs = 10_000;

/**
 * Changes a text file atomically, creating it and its directory if missing. Of two concurrent writers the second sees the first one's text.
 * Never rejects.
 */
export async function editTextFile(options: EditTextFileOptions): Promise<EditedTextFile> {
  try {
    await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
    const real = await realpath(dirname(options.path));
    const path = await realpath(options.path).catch(() => join(real, basename(options.path)));
    if (options.below !== null && !path.startsWith(`${options.below}${sep}`)) {
      return { type: 'failed', reason: `a link leads out of ${options.below}` };
    }
    const lock = `${path}.lock`;
    await takeLock(lock);
    try {
      return await editLocked({ ...options, path });
    } finally {
      await unlink(lock).catch(() => undefined);
    }
  } catch (error) {
    return { type: 'failed', reason: describe(error) };
  }
}

async function editLocked({ path, edit, isPrivate }: EditTextFileOptions): Promise<EditedTextFile> {
  const there = await look(path);
  const text = there === null ? null : await readFile(path, 'utf8');
  const edited = edit(text);
  if (edited === null || edited === (text ?? '')) {
    return { type: 'unchanged' };
  }
  await removeDrafts(path);
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(8).toString('hex')}.draft`);
  try {
    await writeDraft(draft, { text: edited, mode: there === null || isPrivate ? 0o600 : there.mode });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path)).catch(() => undefined);
  return { type: 'written' };
}

/** A killed writer leaves its draft with the complete new text. The holder of the lock is the only writer. */
async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`.${basename(path)}-`) && name.endsWith('.draft'));
  await Promise.all(drafts.map((name) => unlink(join(directory, name)).catch(() => undefined)));
}

/** The permissions of the file; null if the file is missing. */
async function look(path: string): Promise<{ readonly mode: number } | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new Error(stats.isFile() ? `it is larger than ${maxBytes} bytes` : 'it is not a file');
    }
    if (process.platform !== 'win32' && stats.uid !== process.getuid?.()) {
      throw new Error('it belongs to another user');
    }
    return { mode: stats.mode & 0o777 };
  } catch (error) {
    if (isMissing(error) && !(await isThere(path))) {
      return null;
    }
    throw error;
  }
}

/** A dangling link is not written through. */
async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

async function takeLock(lock: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        throw error;
      }
    }
    const age = await lstat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleMs) {
      await unlink(lock).catch(() => undefined);
    } else {
      await delay(pauseMs);
    }
  }
  throw new Error(`another program is writing it. If no other program runs, delete ${lock}`);
}

async function writeDraft(
  path: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    // The umask must not change the permissions of an existing file.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

const reasons: ReadonlyMap<string | null, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EACCES', 'you do not have permission to write it'],
  ['EPERM', 'you do not have permission to write it'],
  ['EROFS', 'the disk is read-only'],
  ['ENOTDIR', 'a file is in the place of its directory'],
  ['EEXIST', 'a file is in the place of its directory'],
  ['ELOOP', 'it is a link to itself'],
  ['ENOENT', 'it is a link that leads nowhere'],
]);

function describe(error: unknown): string {
  const code = errorCode(error);
  if (code !== null) {
    return `${reasons.get(code) ?? 'the system refused'} (${code})`;
  }
  return error instanceof Error ? error.message : 'the system refused';
}
