import { type ApiGeminiRunnerOptions, type ApiLogin, findApiLogin } from '@gemini-mcp/adapters-api';
import type { Environment } from '@gemini-mcp/adapters-node';
import { addUserEnvironment, detectAuthType } from '@gemini-mcp/adapters-node/internal';
import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import type { RunnerPreference } from '@gemini-mcp/core';
import { proxiesOf } from './proxies-of.ts';

/** The login, addresses and proxies for calls to the Gemini API itself. */
export type ApiAccess = Pick<ApiGeminiRunnerOptions, 'login' | 'geminiBaseUrl' | 'vertexBaseUrl' | 'proxies'> & {
  /** Why nothing may be sent to the API, if it is the only backend; missing if calls may be sent. */
  readonly fault?: string;
};

export type ApiAccessSources = {
  readonly preference: RunnerPreference;
  /** The user's `.gemini` directory. */
  readonly userDirectory: string;
  readonly environment: Environment;
  /** Called with the reason if the API is not used although calls would go there. */
  readonly onFault: (fault: string) => void;
};

const baseUrls = ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'] as const;

/**
 * Finds out how to reach the Gemini API, from the environment and the `.env` that the CLI reads in the user's home; null if
 * it must not be used: with a backend setting that keeps everything on the CLI, and in `auto` if one of these variables
 * names a server that anyone on the network could be. With `api` every call is refused for that. Without a login, calls with
 * their own key still work.
 */
export function findApiAccess({ preference, userDirectory, environment, onFault }: ApiAccessSources): ApiAccess | null {
  if (preference === 'warm' || preference === 'headless') {
    return null;
  }
  const variables = addUserEnvironment({ environment, userDirectory });
  const fault = findUrlFault(variables);
  if (fault !== null) {
    onFault(fault);
    return preference === 'api' ? { login: null, fault } : null;
  }
  const [geminiBaseUrl, vertexBaseUrl] = baseUrls.map((name) => variables[name] || undefined);
  return {
    login: preference === 'api' ? findApiLogin(variables) : findLoginOfCli(variables, userDirectory),
    ...(geminiBaseUrl !== undefined && { geminiBaseUrl }),
    ...(vertexBaseUrl !== undefined && { vertexBaseUrl }),
    proxies: proxiesOf(variables),
  };
}

/** Why a key must not be sent to the address in these variables; null if it may. */
function findUrlFault(variables: Environment): string | null {
  const name = baseUrls.find((each) => variables[each] && !isTrustworthyUrl(variables[each]));
  return name === undefined
    ? null
    : `${name} must begin with https://, or with http:// and a host of this machine: anyone in between could read the key and the prompts.`;
}

/** The CLI's login, if the API accepts it: the same account pays for a call with either backend. */
function findLoginOfCli(variables: Environment, userDirectory: string): ApiLogin | null {
  switch (detectAuthType({ environment: variables, userDirectory })) {
    case 'oauth-personal':
    case 'compute-default-credentials':
      return null;
    case 'vertex-ai':
      return findApiLogin({ ...variables, GOOGLE_GENAI_USE_VERTEXAI: 'true' });
    case 'gemini-api-key':
    case null:
      return findApiLogin(variables);
  }
}
