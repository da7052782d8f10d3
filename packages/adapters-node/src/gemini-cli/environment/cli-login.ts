import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../../processes/programs/child-environment.ts';
import { absentUnlessShort } from '../../processes/system-shortage.ts';
import type { AuthType } from '../settings/cli-settings.ts';
import { readTextFile } from './user-environment.ts';

/** The files of a login, the only part of the user's `.gemini` directory that a run needs. */
export const loginFiles: readonly string[] = [
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'installation_id',
];

const authTypes = ['gemini-api-key', 'vertex-ai', 'oauth-personal', 'compute-default-credentials'] as const;

const userSettings = z.object({
  security: z.object({ auth: z.object({ selectedType: z.enum(authTypes) }) }),
});

export type LoginOptions = {
  readonly environment: Environment;
  /** The user's `.gemini` directory. */
  readonly userDirectory: string;
};

/**
 * How a run logs in: by the environment, in the CLI's order, else by the user's choice in the CLI. Null leaves the CLI to report what it
 * lacks. The CLI itself prefers the user's choice; but a key given to the server is meant to be used.
 */
export function detectAuthType({ environment, userDirectory }: LoginOptions): AuthType {
  return askedFor(environment) ?? selectedIn(readTextFile(join(userDirectory, 'settings.json')));
}

function askedFor(environment: Environment): AuthType {
  if (isTrue(environment['GOOGLE_GENAI_USE_GCA'])) {
    return 'oauth-personal';
  }
  if (isTrue(environment['GOOGLE_GENAI_USE_VERTEXAI'])) {
    return 'vertex-ai';
  }
  return environment['GEMINI_API_KEY'] ? 'gemini-api-key' : null;
}

/** Null if the settings are missing or broken: the CLI then decides itself. */
function selectedIn(text: string | null): AuthType {
  try {
    const settings = userSettings.safeParse(JSON.parse(withoutComments(text ?? '')));
    return settings.success ? settings.data.security.auth.selectedType : null;
  } catch {
    return null;
  }
}

/** The CLI allows comments in its settings. Strings are matched first, so that `//` in a URL stays. */
function withoutComments(json: string): string {
  return json.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, text: string | undefined) => text ?? '');
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

/** The parts of a login that stay the same when the CLI renews its token and rewrites the file, which happens every hour. */
const lasting: Readonly<Record<string, z.ZodType<string>>> = {
  'oauth_creds.json': z.object({ refresh_token: z.string().min(1) }).transform((login) => login.refresh_token),
  'google_accounts.json': z.object({ active: z.string().min(1) }).transform((accounts) => accounts.active),
};

const credentialFiles: readonly string[] = ['oauth_creds.json', 'gemini-credentials.json'];

/**
 * What changes with a new login, file by file; null for a missing file. Holds secrets: digest it, do not keep it. An unreadable file (the
 * CLI encrypts one) counts by its inode, size and time.
 */
export function identifyLogin(directory: string): Promise<readonly (string | null)[]> {
  return Promise.all(
    loginFiles.map(async (name) => (await readLasting(directory, name)) ?? (await stampOf(join(directory, name)))),
  );
}

/** Whether the result of `identifyLogin` shows a login. */
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
