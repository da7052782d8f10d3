import { type ApiGeminiRunnerOptions, type ApiLogin, findApiLogin } from '@gemini-mcp/adapters-api';
import { addUserEnvironment, detectAuthType } from '@gemini-mcp/adapters-node/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { isTrustworthyUrl } from '../settings/is-trustworthy-url.ts';
import { proxiesOf } from './proxies-of.ts';

/** As whom and through what this server asks the Gemini API itself. */
export type ApiAccess = Pick<ApiGeminiRunnerOptions, 'login' | 'geminiBaseUrl' | 'vertexBaseUrl' | 'proxies'> & {
  /** Why nothing may be sent, where the API alone is to be asked; missing where something may. */
  readonly fault?: string;
};

export type ApiAccessSources = {
  readonly configuration: Pick<Configuration, 'runner' | 'userDirectory'>;
  readonly environment: Environment;
  /** Told why the API is not asked although calls would go there. */
  readonly onFault: (fault: string) => void;
};

const baseUrls = ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'] as const;

/**
 * Finds out how the Gemini API is to be asked, by the variables of the environment and of the `.env` that the CLI reads in the user's
 * home; null where it is never asked: with a runner that keeps everything on the CLI, and in `auto` where one of these variables names
 * a server that anyone on the way could be. With the runner `api` every call is refused for that. Without a login, calls that bring a
 * key of their own can be carried.
 */
export async function findApiAccess({
  configuration,
  environment,
  onFault,
}: ApiAccessSources): Promise<ApiAccess | null> {
  const { runner, userDirectory } = configuration;
  if (runner === 'warm' || runner === 'headless') {
    return null;
  }
  const variables = await addUserEnvironment({ environment, userDirectory });
  const fault = findUrlFault(variables);
  if (fault !== null) {
    onFault(fault);
    return runner === 'api' ? { login: null, fault } : null;
  }
  const [geminiBaseUrl, vertexBaseUrl] = baseUrls.map((name) => variables[name] || undefined);
  return {
    login: runner === 'api' ? findApiLogin(variables) : await findLoginOfCli(variables, userDirectory),
    ...(geminiBaseUrl !== undefined && { geminiBaseUrl }),
    ...(vertexBaseUrl !== undefined && { vertexBaseUrl }),
    proxies: proxiesOf(variables),
  };
}

/** Why a key is not to be sent where these variables say; null where it may be. */
function findUrlFault(variables: Environment): string | null {
  const name = baseUrls.find((each) => variables[each] && !isTrustworthyUrl(variables[each]));
  return name === undefined
    ? null
    : `${name} must begin with https://, or with http:// and a host of this machine: whatever is in between could read the key and the prompts.`;
}

/** The login with which the CLI would run, where the API takes it: the same account pays for a call by either way. */
async function findLoginOfCli(variables: Environment, userDirectory: string): Promise<ApiLogin | null> {
  switch (await detectAuthType({ environment: variables, userDirectory })) {
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
