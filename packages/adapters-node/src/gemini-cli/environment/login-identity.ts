import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { absentUnlessShort } from '../../process/system-shortage.ts';
import { loginFiles } from './cli-login.ts';

/** What of a login stays as it is when the CLI renews its token, which it does every hour, writing the file again. */
const lasting: Readonly<Record<string, z.ZodType<string>>> = {
  'oauth_creds.json': z.object({ refresh_token: z.string().min(1) }).transform((login) => login.refresh_token),
  'google_accounts.json': z.object({ active: z.string().min(1) }).transform((accounts) => accounts.active),
};

const credentialFiles: readonly string[] = ['oauth_creds.json', 'gemini-credentials.json'];

/**
 * What changes with a new login, file by file; null where there is none. Holds secrets: to be digested, not kept. A file that
 * cannot be read as expected (the CLI encrypts one of them) is told by when and where it was written.
 */
export function identifyLogin(directory: string): Promise<readonly (string | null)[]> {
  return Promise.all(
    loginFiles.map(async (name) => (await readLasting(directory, name)) ?? (await stampOf(join(directory, name)))),
  );
}

/** Whether a login was found, by what `identifyLogin` resolved to. */
export function holdsCredentials(identity: readonly (string | null)[]): boolean {
  return loginFiles.some((name, index) => credentialFiles.includes(name) && identity[index] != null);
}

async function readLasting(directory: string, name: string): Promise<string | null> {
  const schema = lasting[name];
  if (schema === undefined) {
    return null;
  }
  try {
    return schema.parse(JSON.parse(await readFile(join(directory, name), 'utf8')));
  } catch (error) {
    return absentUnlessShort(error);
  }
}

function stampOf(path: string): Promise<string | null> {
  return stat(path).then(
    ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
    () => null,
  );
}
