import { join } from 'node:path';
import { findApiLogin } from '@gemini-mcp/adapters-api';
import { addUserEnvironment } from '@gemini-mcp/adapters-node/internal';
import { homeDirectory, withoutUnfilledVariables } from '@gemini-mcp/adapters-node/internal/startup';
import { type LoginPlace, LoginStore } from './stored-login.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `user-env`: the `.env` of the Gemini CLI in the user's home. */
export type LoginSource = 'environment' | 'user-env' | LoginPlace;

/** The environment of calls, without variables that were not filled in, with the stored key if that is the login. */
export type FoundLogin = {
  readonly environment: Environment;
  /** Where the login comes from; null without one. */
  readonly source: LoginSource | null;
  /** Why a stored login is not used, a sentence for a user; null if it is used or missing. */
  readonly problem: string | null;
};

/**
 * Finds the login for Google: the environment's first, then the stored one, which becomes GEMINI_API_KEY so that the API and the CLI have
 * the same. Never rejects. Waits five seconds at most for a keychain.
 */
export async function findLogin(
  variables: Environment,
  store: LoginStore = new LoginStore(variables),
): Promise<FoundLogin> {
  const environment = withoutUnfilledVariables(variables);
  const source = sourceOf(environment);
  if (source !== null) {
    return { environment, source, problem: null };
  }
  const read = await store.read();
  switch (read.type) {
    case 'none':
      return { environment, source: null, problem: null };
    case 'unreadable':
      return { environment, source: null, problem: read.problem };
    case 'found':
      return { environment: { ...environment, GEMINI_API_KEY: read.key }, source: read.place, problem: null };
  }
}

/** Whether the environment, or the `.env` of the Gemini CLI, has a login for Google or chooses one of the CLI. */
export function namesLogin(environment: Environment): boolean {
  return sourceOf(withoutUnfilledVariables(environment)) !== null;
}

function sourceOf(environment: Environment): 'environment' | 'user-env' | null {
  if (holdsLogin(environment)) {
    return 'environment';
  }
  const userDirectory = join(homeDirectory(environment), '.gemini');
  return holdsLogin(withoutUnfilledVariables(addUserEnvironment({ environment, userDirectory }))) ? 'user-env' : null;
}

function holdsLogin(variables: Environment): boolean {
  const chosen = ['GOOGLE_GENAI_USE_GCA', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_ENTERPRISE'];
  return findApiLogin(variables) !== null || chosen.some((name) => /^(?:true|1)$/i.test(variables[name] ?? ''));
}
