import { type FailureWords, failureReason } from '@gemini-mcp/core';

const asIs = 'Try again. If it keeps happening, run `gemini` in a terminal to see what it says there.';

/** Messages for failures of Gemini CLI calls: they name the CLI, its settings and its login. The core words all other failures. */
export const cliFailureWords: FailureWords = {
  reasons: {
    'runner-unavailable': "the Gemini CLI's session mode (`gemini --acp`) did not start",
    unsupported: (failure) =>
      failure.feature === 'login' ? 'the Gemini CLI has no login that is known here' : failureReason(failure),
    'tier-retired': 'Google no longer serves this kind of account through the Gemini CLI',
    'untrusted-workspace': 'the Gemini CLI did not trust its working directory',
    configuration: 'the Gemini CLI could not start with its configuration',
    'sandbox-missing': 'the Gemini CLI found no sandbox to run in',
    'malformed-output': 'the output of the Gemini CLI was damaged or incomplete',
    hung: 'the Gemini CLI hung over this request',
    crashed: 'the Gemini CLI crashed',
    unknown: 'the Gemini CLI failed for an unknown reason',
  },
  advice: {
    'runner-unavailable':
      'Update the CLI with `npm install -g @google/gemini-cli@latest`, or choose a backend that does not need that mode.',
    authentication: ({ problem }) =>
      problem === 'missing'
        ? 'Make an API key at https://aistudio.google.com/apikey and set GEMINI_API_KEY in the environment.'
        : 'Check GEMINI_API_KEY (or the Vertex AI settings), or log in again by running `gemini` in a terminal.',
    'tier-retired':
      'Use a paid API key from Google AI Studio (GEMINI_API_KEY), Vertex AI, or a Gemini Code Assist Standard or Enterprise licence. Free, Google AI Pro and Google AI Ultra accounts have not been served through the Gemini CLI since June 2026.',
    'untrusted-workspace': asIs,
    configuration: "Check the Gemini CLI's settings.json, and that the directory for its runs can be written.",
    'sandbox-missing': 'Install docker or podman and start it, or ask without a sandbox.',
    'malformed-output': asIs,
    network: 'Check the connection, the proxy settings (HTTPS_PROXY) and GOOGLE_GEMINI_BASE_URL.',
    hung: 'Ask for something else: this request, or a search that Gemini made for it, took the Gemini CLI too long.',
    crashed: asIs,
    unknown: asIs,
  },
};
