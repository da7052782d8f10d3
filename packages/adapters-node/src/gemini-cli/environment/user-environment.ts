import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { absentUnlessShort } from '../../process/system-shortage.ts';
import { type Environment, inheritedOnly } from './child-environment.ts';

export type UserEnvironmentOptions = {
  readonly environment: Environment;
  /** The user's `.gemini` directory. */
  readonly userDirectory: string;
};

/**
 * The server's variables, and after them those of the `.env` that the CLI would have read in the user's home, as far as a
 * run may see them. Read here and not by the CLI: what is in that file for other purposes must not change our runs, and
 * a key in it is one more secret to hide.
 */
export async function addUserEnvironment({ environment, userDirectory }: UserEnvironmentOptions): Promise<Environment> {
  const ownNames = new Set(Object.keys(environment).filter((name) => environment[name] !== undefined));
  const entries = Object.entries(inheritedOnly(await readUserEnvironment(userDirectory)));
  return { ...environment, ...Object.fromEntries(entries.filter(([name]) => !ownNames.has(name))) };
}

async function readUserEnvironment(userDirectory: string): Promise<Environment> {
  for (const directory of [userDirectory, join(userDirectory, '..')]) {
    const text = await readFile(join(directory, '.env'), 'utf8').catch(absentUnlessShort);
    if (text !== null) {
      return parseEnv(text);
    }
  }
  return {};
}
