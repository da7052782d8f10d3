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
  /** Absolute. A link is followed: what it leads to is written. */
  readonly path: string;
  /** A real path below which the file has to lie, whatever links lead to; null for a file of the user's own. */
  readonly below: string | null;
  /** The new text for the one that is there, null where there is none; the same text, an empty one for none, or null leaves all as it is. */
  readonly edit: (text: string | null) => string | null;
  /** Whether a file that is there loses what it lets other users do. One that is made lets them do nothing. */
  readonly isPrivate: boolean;
};

export type EditedTextFile =
  | { readonly type: 'written' | 'unchanged' }
  /** Why it could not be written, in words for a user. It is as it was. */
  | { readonly type: 'failed'; readonly reason: string };

const maxBytes = 1_000_000;

/** How long another writer is waited for. */
const maxTries = 200;
const pauseMs = 25;

/** A writer that was killed leaves its lock. */
const staleMs = 10_000;

/**
 * Changes a text file, which is whole at any moment, and made with its directory where it is missing. Of two who write at once the second sees
 * what the first has written. Never rejects.
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

/** A writer that was killed leaves its draft, with all that the file was to say. The one that has the lock is the only writer. */
async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`.${basename(path)}-`) && name.endsWith('.draft'));
  await Promise.all(drafts.map((name) => unlink(join(directory, name)).catch(() => undefined)));
}

/** The rights of the file; null where there is none. */
async function look(path: string): Promise<{ readonly mode: number } | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new Error(stats.isFile() ? `it has more than ${maxBytes} bytes` : 'it is no file');
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

/** A link that leads nowhere is not written through. */
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
  throw new Error(`another program is writing it. If none is, delete ${lock}`);
}

async function writeDraft(
  path: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    // The umask has no say in what a file had before.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

const reasons: ReadonlyMap<string | null, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EACCES', 'it may not be written'],
  ['EPERM', 'it may not be written'],
  ['EROFS', 'the disk may only be read'],
  ['ENOTDIR', 'a file lies where its directory should be'],
  ['EEXIST', 'a file lies where its directory should be'],
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
