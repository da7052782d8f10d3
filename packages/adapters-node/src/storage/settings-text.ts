import { createHash } from 'node:crypto';
import { type BigIntStats, constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../processes/error-code.ts';
import { GroupMembers } from '../processes/programs/group-members.ts';
import { describePathFault } from '../processes/programs/path-fault.ts';
import { ProgramTrust } from '../processes/programs/program-trust.ts';
import { trustedOwners } from '../processes/programs/trusted-owners.ts';

/** Who may have written a settings file. `anyone` is for a file that is approved by its content. */
export type SettingsWriter = 'administrator' | 'user' | 'anyone';

type SettingsTextOptions = {
  /** Absolute. */
  readonly path: string;
  readonly writer: SettingsWriter;
};

export type SettingsText =
  | { readonly type: 'none' }
  /** The rest of a sentence that begins with the path. */
  | { readonly type: 'refused'; readonly reason: string }
  | {
      readonly type: 'text';
      readonly text: string;
      /** SHA-256 of its bytes, in hexadecimal. */
      readonly digest: string;
    };

const maxBytes = 4_000_000;

/** Two changes within this time may leave the same timestamps on a file. */
const blurNs = 100_000_000n;

type Look = { readonly signature: string; readonly isBlurred: boolean; readonly text: SettingsText };

/** The text of a settings file, read again after each change of the file. */
export class SettingsTextFile {
  readonly #options: SettingsTextOptions;
  #last: Look | null = null;

  constructor(options: SettingsTextOptions) {
    this.#options = options;
  }

  /** Returns the same object as long as the result is the same. Never rejects. */
  async read(): Promise<SettingsText> {
    try {
      return await this.#read();
    } catch (error) {
      const code = errorCode(error);
      const isThere = code !== 'ENOENT' && code !== 'ENOTDIR';
      return this.#keep({
        signature: '',
        isBlurred: true,
        text: isThere ? { type: 'refused', reason: `cannot be read (${code ?? 'failed'})` } : { type: 'none' },
      });
    }
  }

  async #read(): Promise<SettingsText> {
    const { path, writer } = this.#options;
    // Do not block on a pipe without a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat({ bigint: true });
      const signature = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode, stats.uid].join();
      if (this.#last?.signature === signature && !this.#last.isBlurred) {
        return this.#last.text;
      }
      const isBlurred = BigInt(Date.now()) * 1_000_000n - stats.mtimeNs < blurNs;
      const fault = stats.isFile() ? await findFault(path, writer, stats) : 'is a directory, or not a readable file';
      const text = fault === null ? await readText(file) : ({ type: 'refused', reason: fault } as const);
      return this.#keep({ signature, isBlurred, text });
    } finally {
      await file.close();
    }
  }

  #keep(look: Look): SettingsText {
    const before = this.#last?.text;
    const text = before !== undefined && areEqual(before, look.text) ? before : look.text;
    this.#last = { ...look, text };
    return text;
  }
}

function areEqual(one: SettingsText, other: SettingsText): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function readText(file: FileHandle): Promise<SettingsText> {
  const chunk = Buffer.alloc(65_536);
  const chunks: Buffer[] = [];
  for (let bytes = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, bytes);
    if (bytesRead === 0) {
      break;
    }
    bytes += bytesRead;
    if (bytes > maxBytes) {
      return { type: 'refused', reason: `is larger than ${maxBytes} bytes` };
    }
    chunks.push(Buffer.from(chunk.subarray(0, bytesRead)));
  }
  const content = Buffer.concat(chunks);
  const digest = createHash('sha256').update(content).digest('hex');
  return { type: 'text', text: content.toString('utf8').replace(/^\uFEFF/, ''), digest };
}

/** Why a file is ignored; null if it counts. */
async function findFault(path: string, writer: SettingsWriter, stats: BigIntStats): Promise<string | null> {
  switch (writer) {
    case 'anyone':
      return null;
    case 'user':
      return process.platform === 'win32' ? null : findOwnFault(stats);
    case 'administrator':
      return await findAdministratorFault(path);
  }
}

function findOwnFault({ uid, gid, mode }: BigIntStats): string | null {
  if (!trustedOwners().has(Number(uid))) {
    return 'belongs to another user, so it is ignored';
  }
  const isOpenToGroup = (mode & 0o020n) !== 0n && !new GroupMembers().isPrivate(Number(gid));
  return (mode & 0o002n) !== 0n || isOpenToGroup
    ? 'can be written by other users, so it is ignored. Close it with: chmod go-w'
    : null;
}

/** Windows does not reveal who may write a file. */
async function findAdministratorFault(path: string): Promise<string | null> {
  if (process.platform === 'win32') {
    return 'is ignored on Windows';
  }
  const own = process.getuid?.() ?? 0;
  const owners = new Set([...trustedOwners()].filter((uid) => uid === 0 || uid !== own));
  const fault = await new ProgramTrust({ projects: [], owners }).judgeProgram(path);
  return fault === null ? null : `is ignored: ${describePathFault(fault)}`;
}

export type SecretFileRead =
  | { readonly read: true; readonly text: string }
  /** The rest of a sentence that begins with the path. */
  | { readonly read: false; readonly reason: string };

/** More than any key or token has. */
const maxSecretBytes = 65_536;

/**
 * Reads the content of a file without its trailing line break. Refuses a file that others can read or write; who may read an
 * administrator's file is the administrator's decision. Never rejects.
 */
export async function readSecretFile(path: string): Promise<SecretFileRead> {
  try {
    // Do not block on a pipe without a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const fault = findSecretFault(await file.stat());
      if (fault !== null) {
        return { read: false, reason: fault };
      }
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxSecretBytes + 1), 0, maxSecretBytes + 1, 0);
      return bytesRead > maxSecretBytes
        ? { read: false, reason: `is larger than ${maxSecretBytes} bytes` }
        : { read: true, text: buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$/, '') };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { read: false, reason: `cannot be read (${errorCode(error) ?? 'failed'})` };
  }
}

/** Why a file is not private enough for a secret, as the rest of a sentence that begins with the path; null if it is. */
export function findSecretFault(stats: Stats): string | null {
  const { uid, mode } = stats;
  if (!stats.isFile()) {
    return 'is not a file';
  }
  if (process.platform === 'win32') {
    return null;
  }
  if (!trustedOwners().has(uid)) {
    return 'belongs to another user';
  }
  const isOwn = uid === process.getuid?.();
  return (mode & (isOwn ? 0o077 : 0o022)) === 0
    ? null
    : `can be ${isOwn ? 'read or ' : ''}changed by other users. Close it with: chmod ${isOwn ? '600' : 'go-w'}`;
}
