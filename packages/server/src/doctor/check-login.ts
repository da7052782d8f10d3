import { failureAdvice } from '@gemini-mcp/core';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';
import type { Login } from './doctor-probes.ts';

const name = 'Login';

const noLogin = failureAdvice({ kind: 'authentication', problem: 'missing', excerpt: '' }, 'query', serverFailureWords);

const ok = (found: string): Check => ({ name, status: 'ok', found, fix: null });

const fail = (found: string, fix: string): Check => ({ name, status: 'fail', found, fix });

/** Whether a run has what its kind of login needs. Whether Google accepts it, only a call can tell. */
export function checkLogin(login: Login): Check {
  switch (login.authType) {
    case 'gemini-api-key':
      return checkApiKey(login);
    case 'vertex-ai':
      return checkVertex(login);
    case 'oauth-personal':
      return login.hasAccount
        ? ok('a Google account; only ones with a Gemini Code Assist Standard or Enterprise licence are still served')
        : fail('a Google account is chosen, but the CLI is not logged in with one', noLogin);
    case 'compute-default-credentials':
      return ok('the credentials of this machine in the cloud');
    case null:
      return fail('there is none: no key in the environment, and none chosen in the CLI', noLogin);
  }
}

function checkApiKey({ variables, hasKeptCredentials }: Login): Check {
  if (variables.has('GEMINI_API_KEY')) {
    return ok('an API key (GEMINI_API_KEY)');
  }
  return hasKeptCredentials
    ? ok('an API key that the CLI keeps')
    : fail('an API key is chosen in the CLI, but there is none', noLogin);
}

function checkVertex({ variables }: Login): Check {
  const hasProject = variables.has('GOOGLE_CLOUD_PROJECT') || variables.has('GOOGLE_CLOUD_PROJECT_ID');
  if (variables.has('GOOGLE_API_KEY') || (hasProject && variables.has('GOOGLE_CLOUD_LOCATION'))) {
    return ok('Vertex AI');
  }
  return fail(
    'Vertex AI is chosen, but it is not said which project or key to use',
    'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY, in the environment of this server.',
  );
}
