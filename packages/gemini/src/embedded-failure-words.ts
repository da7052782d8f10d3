import { cliFailureWords } from '@gemini-mcp/adapters-node';
import { type FailureWords, failureAdvice, failureReason, type UnsupportedFeature } from '@gemini-mcp/core';

const makeKey =
  'Make an API key at https://aistudio.google.com/apikey, and set GEMINI_API_KEY in the environment or give createGemini an `apiKey`.';

const remedies = {
  api: "Leave that out of the call. Only the Gemini API itself can do it: with the backend 'auto' and an API key such calls go there.",
  login: makeKey,
  none: 'Leave that out of the call.',
} as const;

/** The remedy for each feature that only the API or a login provides. */
const remedyFor: Readonly<Partial<Record<UnsupportedFeature, keyof typeof remedies>>> = {
  'answer-schema': 'api',
  'token-count': 'api',
  urls: 'api',
  login: 'login',
};

/** Texts on failures that name the options of `createGemini`. Other kinds use the CLI's texts, or the core's. */
export const embeddedFailureWords: FailureWords = {
  reasons: {
    ...cliFailureWords.reasons,
    configuration: 'the backend could not start with its configuration',
    'malformed-output': 'the answer was damaged or incomplete',
    unknown: 'the call failed for an unknown reason',
    unsupported: (failure) => (failure.feature === 'login' ? 'the Gemini API has no login' : failureReason(failure)),
  },
  advice: {
    ...cliFailureWords.advice,
    'cli-missing':
      "Install it with `npm install -g @google/gemini-cli`, or set GEMINI_MCP_CLI to the path of the gemini executable. With the backend 'auto' and an API key most calls need no CLI.",
    'runner-unavailable':
      "Update the CLI with `npm install -g @google/gemini-cli@latest`, or choose the backend 'auto' or 'headless', which do without that mode.",
    authentication: (failure) =>
      failure.problem === 'missing' ? makeKey : failureAdvice(failure, 'query', cliFailureWords),
    unsupported: ({ feature }) => remedies[remedyFor[feature] ?? 'none'],
    'malformed-output': 'Try again.',
    unknown: 'Try again.',
  },
};
