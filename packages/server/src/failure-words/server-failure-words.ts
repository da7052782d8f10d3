import { cliFailureWords } from '@gemini-mcp/adapters-node';
import {
  type CallPurpose,
  type FailureWords,
  failureAdvice,
  failureReason,
  type GeminiFailure,
  type LeftOut,
  type UnsupportedFeature,
} from '@gemini-mcp/core';

const raiseLimits = 'GEMINI_MCP_MAX_RUNNING says how many calls may run at once; eight times as many may wait.';

const smallerMessage =
  'Send a shorter message. A conversation that has grown too long is best replaced by a new one with `chat`, with what matters of it in the first message.';

const timeoutSettings: Readonly<Record<Exclude<CallPurpose, 'query'>, string>> = {
  chat: 'GEMINI_CLI_CHAT_TIMEOUT_MS',
  search: 'GEMINI_CLI_SEARCH_TIMEOUT_MS',
};

const unsupportedReasons: Readonly<Record<UnsupportedFeature, string>> = {
  history: 'this server cannot go on with a conversation',
  'system-prompt': 'this server cannot replace the system prompt',
  tools: 'this server cannot give Gemini the tools that this needs',
  directory: 'this server cannot let Gemini read a directory',
  media: 'this server cannot send these media',
  'api-key': 'this server cannot use an API key for one call alone',
  sandbox: 'this server cannot run the Gemini CLI in its sandbox',
  'answer-schema': 'the Gemini CLI cannot hold an answer to a schema',
  thinking: 'neither the Gemini CLI nor every model can be told how much to think',
  'tool-sources': 'this server cannot lend Gemini tools',
  urls: 'the Gemini CLI cannot have Gemini read pages of the web by their addresses',
  'token-count': 'the Gemini CLI cannot count tokens',
  login: 'there is no login for the Gemini API',
};

/** Where a key is made: https://ai.google.dev/gemini-api/docs/api-key. */
const makeKey =
  'Make an API key at https://aistudio.google.com/apikey and set GEMINI_API_KEY in the environment of this server.';

type Way = 'cli' | 'api' | 'model' | 'login' | 'other';

/** With whose help a feature could be had that no way of the server has. */
const needed: Readonly<Partial<Record<UnsupportedFeature, Way>>> = {
  tools: 'cli',
  sandbox: 'cli',
  'answer-schema': 'api',
  thinking: 'model',
  urls: 'api',
  login: 'login',
};

const waysOut: Readonly<Record<Way, string>> = {
  cli: 'Leave that out of the call. Where files of a directory matter, name them in gemini_query. Only the Gemini CLI can do it: with GEMINI_MCP_RUNNER=auto such calls go to one that is installed.',
  api: 'Leave that out of the call. Only the Gemini API itself can do it: calls go there with GEMINI_MCP_RUNNER=auto and a key in GEMINI_API_KEY.',
  model:
    'Leave that out of the call, or name another model, such as gemini-3.8-flash. Only the Gemini API itself can do it: calls go there with GEMINI_MCP_RUNNER=auto and a key in GEMINI_API_KEY.',
  login: makeKey,
  other: 'Leave that out of the call.',
};

const checkNames =
  'Check the names: they are relative to the working directory of the server (GEMINI_CLI_WORKING_DIR).';

const adviceOnLeftOut: Readonly<Partial<Record<LeftOut['reason'], string>>> = {
  'outside-roots':
    'Name files inside the allowed directories. The operator of this server can allow more with GEMINI_MCP_ROOTS.',
  'no-such-lines': 'Name lines that the file has, or the whole file.',
  sensitive: 'Name other files. The operator of this server can allow these with GEMINI_MCP_ALLOW_SENSITIVE=1.',
};

/** What helps against the reason that everything was left out for; if there are several, the names are the likeliest mistake. */
function adviseOnNames(leftOut: readonly LeftOut[]): string {
  const [first, ...others] = new Set(leftOut.map(({ reason }) => reason));
  return (first !== undefined && others.length === 0 ? adviceOnLeftOut[first] : undefined) ?? checkNames;
}

const again = 'Try again. If it keeps happening, look into the log of this server.';

/** Words on failures that name the server's settings and tools. All others are those of the CLI, and the core's. */
export const serverFailureWords: FailureWords = {
  reasons: {
    ...cliFailureWords.reasons,
    authentication: (failure) =>
      failure.problem === 'missing' ? 'there is no login for Google' : failureReason(failure),
    configuration: 'what carries calls to Gemini could not start with its configuration',
    'malformed-output': 'what came back was damaged or incomplete',
    unknown: 'the call failed in a way that is not known',
    'resources-exhausted': 'this machine has run out of something that a call needs',
    unsupported: ({ feature }) => unsupportedReasons[feature],
  },
  advice: {
    ...cliFailureWords.advice,
    'cli-missing':
      'Install it with `npm install -g @google/gemini-cli`, or set GEMINI_MCP_CLI to the path of the gemini executable. With an API key only `sandbox` and `yolo` need it.',
    'runner-unavailable':
      'Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER to `auto` or `headless`, which do without that mode.',
    authentication: (failure) =>
      failure.problem === 'missing' ? makeKey : failureAdvice(failure, 'query', cliFailureWords),
    configuration:
      "Check the Gemini CLI's settings.json or the credentials of Vertex AI, and that the state directory (GEMINI_MCP_STATE_DIR) can be written.",
    unsupported: ({ feature }) => waysOut[needed[feature] ?? 'other'],
    'malformed-output': again,
    unknown: again,
    'resources-exhausted':
      'Try again in a moment. If it keeps happening, the operator of this server has to raise that limit or make room.',
    'directory-refused':
      'Name an existing directory inside the allowed ones: the working directory of the server, GEMINI_MCP_ROOTS and GEMINI_MCP_TRUSTED_DIRS.',
    'sandbox-missing': 'Install docker or podman and start it, or leave `sandbox` out.',
    'unknown-session': ({ newest }) =>
      newest.length === 0
        ? 'Begin a session with `chat`.'
        : 'Name one of the sessions that there are, or begin a new one with `chat`.',
    'no-context': ({ leftOut }) => adviseOnNames(leftOut),
    'invalid-answer': (_, purpose) =>
      `Try again, name another model, or leave out \`${purpose === 'search' ? 'raw' : 'schema'}\` to get prose.`,
    'model-not-found': 'Name another model, or leave `model` out to let the server choose.',
    'context-too-large': (failure, purpose) => {
      if (failure.setLimitBytes !== undefined) {
        return 'Give a larger `max_bytes`, or name smaller files or some of their lines.';
      }
      return purpose === 'chat' ? smallerMessage : failureAdvice({ ...failure, refusal: null }, purpose);
    },
    timeout: (failure, purpose) => {
      return purpose === 'query'
        ? 'Give a longer `timeout`, name fewer files, or choose a faster model.'
        : `${failureAdvice(failure, purpose)} ${timeoutSettings[purpose]} sets how long this server waits.`;
    },
    busy: (failure) => `${failureAdvice(failure)} ${raiseLimits}`,
  },
};

/** Words on failures for clients of a server that someone else runs: they say what only its operator can change. */
export const operatorFailureWords: FailureWords = {
  ...serverFailureWords,
  advice: {
    ...serverFailureWords.advice,
    authentication: (failure) =>
      failure.problem === 'missing'
        ? tellOperator(failure)
        : `If the call had a key of its own (\`apiKey\`), check that key. Otherwise: ${tellOperator(failure)}`,
    'tier-retired': tellOperator,
    'cli-missing': tellOperator,
  },
};

function tellOperator(failure: GeminiFailure): string {
  return `Only the operator of this server can change this, where and as the user that it runs. ${failureAdvice(failure, 'query', serverFailureWords)}`;
}
