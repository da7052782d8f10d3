import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Environment, inheritedOnly } from '../../processes/programs/child-environment.ts';
import { absentUnlessShort } from '../../processes/system-shortage.ts';

export type UserEnvironmentOptions = {
  readonly environment: Environment;
  /** The user's `.gemini` directory. */
  readonly userDirectory: string;
};

/**
 * The server's variables, then those of the `.env` in the user's home, limited to those that a run may see. Read here instead of by the
 * CLI: variables set for other purposes must not change our runs, and a key in the file must be redacted.
 */
export function addUserEnvironment({ environment, userDirectory }: UserEnvironmentOptions): Environment {
  const text = readTextFile(join(userDirectory, '.env')) ?? readTextFile(join(userDirectory, '..', '.env'));
  return text === null ? environment : addVariables(environment, text);
}

/** The text of a file; null if it is missing or unreadable. Throws if the system runs out of a resource. */
export function readTextFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return absentUnlessShort(error);
  }
}

function addVariables(environment: Environment, text: string): Environment {
  const ownNames = new Set(Object.keys(environment).filter((name) => environment[name] !== undefined));
  const entries = Object.entries(inheritedOnly(parseEnv(text)));
  return { ...environment, ...Object.fromEntries(entries.filter(([name]) => !ownNames.has(name))) };
}
