import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../processes/error-code.ts';
import { findExposure } from '../processes/find-exposure.ts';
import type { Environment } from '../processes/programs/child-environment.ts';
import { homeDirectory } from '../processes/programs/home-directory.ts';
import { editTextFile } from './edit-text-file.ts';
import { findSecretFault } from './settings-text.ts';

/** A key for the Gemini API, or the statement that the keychain has it. */
export type StoredLogin = { readonly place: 'file'; readonly key: string } | { readonly place: 'keychain' };

export type LoginFileRead =
  | { readonly type: 'none' }
  | { readonly type: 'found'; readonly login: StoredLogin }
  /** The rest of a sentence that begins with the path. */
  | { readonly type: 'refused'; readonly reason: string };

/** More than a stored login has. */
const maxBytes = 10_000;

/**
 * The file of the user's login, at the same place on every system. Neither XDG_CONFIG_HOME nor APPDATA moves it: many clients start servers with
 * HOME and few other variables, and those servers must find it too.
 */
export function loginFilePath(environment: Environment): string {
  return join(homeDirectory(environment), '.config', 'gemini-mcp-server', 'login.json');
}

/** Reads a login. Synchronous, because `createGemini` is. Refuses a file that others can read or write. Never throws. */
export function readLoginFile(path: string): LoginFileRead {
  try {
    // Do not block on a pipe without a writer.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(file);
      const fault = findSecretFault(stats) ?? (stats.size > maxBytes ? `is larger than ${maxBytes} bytes` : null);
      return fault === null ? parseLogin(readFileSync(file, 'utf8')) : { type: 'refused', reason: fault };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { type: 'none' }
      : { type: 'refused', reason: `cannot be read (${code ?? 'failed'})` };
  }
}

function parseLogin(text: string): LoginFileRead {
  const login = toLogin(parseJson(text));
  return login === null
    ? { type: 'refused', reason: 'is damaged. Log in again: gemini-mcp-server login' }
    : { type: 'found', login };
}

/** By hand: a schema library takes longer for its first object than the whole start may take for a login. */
function toLogin(value: unknown): StoredLogin | null {
  const { place = null, key = null } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (place === 'keychain' && key === null) {
    return { place };
  }
  return place === 'file' && typeof key === 'string' && /^[\x21-\x7e]{1,4096}$/.test(key) ? { place, key } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Replaces the login atomically, in a file that only this user can read. Resolves to null, or to the reason for a failure. */
export async function writeLoginFile(path: string, login: StoredLogin): Promise<string | null> {
  const exposure = findExposure(dirname(path));
  if (exposure !== null) {
    return exposure;
  }
  const edit = (): string => `${JSON.stringify(login)}\n`;
  const written = await editTextFile({ path, below: null, edit, isPrivate: true });
  return written.type === 'failed' ? written.reason : null;
}

/** Removes the login, if it exists. Resolves to null, or to the reason for a failure. */
export async function removeLoginFile(path: string): Promise<string | null> {
  try {
    await unlink(path);
    return null;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `the system refused (${code ?? 'failed'})`;
  }
}
