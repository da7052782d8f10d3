import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { ConfigurationError } from '@gemini-mcp/server';
import { readGuardedFile } from './read-guarded-file.ts';

export type LocalTokenSources = {
  /** The value of `GEMINI_MCP_TOKEN`; null or empty if not set. */
  readonly value: string | null;
  /** The absolute path of `GEMINI_MCP_TOKEN_FILE`; null if not set. */
  readonly file: string | null;
};

export type LocalToken = {
  readonly token: string;
  /** Whether the token was just created, so that its user does not know it yet. */
  readonly generated: boolean;
};

const usable = /^[\x21-\x7e]{32,4096}$/;
const maxFileBytes = 16_384;

const demand =
  'needs a token of 32 to 4,096 characters of visible ASCII without spaces. Make one with: openssl rand -base64 32';

/**
 * Reads the operator's token from the value or from the first line of the file. Creates a missing file with a new token. Without either, the
 * new token exists in this process only. Rejects with a `ConfigurationError` that never contains a token.
 */
export async function readLocalToken({ value, file }: LocalTokenSources): Promise<LocalToken> {
  if (value && file !== null) {
    throw new ConfigurationError('GEMINI_MCP_TOKEN and GEMINI_MCP_TOKEN_FILE are both set. Keep one of them.');
  }
  if (value) {
    return { token: checked('GEMINI_MCP_TOKEN', value), generated: false };
  }
  return file === null ? { token: createToken(), generated: true } : fromFile(file);
}

async function fromFile(path: string): Promise<LocalToken> {
  const kept = await readToken(path);
  if (kept !== null) {
    return { token: kept, generated: false };
  }
  const token = createToken();
  if (await writeNew(path, token)) {
    return { token, generated: true };
  }
  const made = await readToken(path);
  if (made === null) {
    throw new ConfigurationError(`${path}: comes and goes`);
  }
  return { token: made, generated: false };
}

async function readToken(path: string): Promise<string | null> {
  const text = await readGuardedFile({ path, guarded: 'contents', maxBytes: maxFileBytes });
  return text === null ? null : checked(path, (text.split('\n', 1)[0] ?? '').trim());
}

function checked(place: string, token: string): string {
  if (!usable.test(token)) {
    throw new ConfigurationError(`${place}: ${demand}`);
  }
  return token;
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** False if another process created the file first. Removes a file that could not be written in full. */
async function writeNew(path: string, token: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw notMade(path, error);
  }
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
  } catch (error) {
    // The next start would refuse an empty file.
    await unlink(path).catch(() => undefined);
    throw notMade(path, error);
  } finally {
    await file.close();
  }
  return true;
}

function notMade(path: string, error: unknown): ConfigurationError {
  return new ConfigurationError(`${path}: cannot be made (${codeOf(error)})`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
