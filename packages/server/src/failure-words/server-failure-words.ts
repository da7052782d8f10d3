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

const raiseLimits = 'GEMINI_MCP_MAX_RUNNING sets how many calls run at once; eight times as many can wait.';

const smallerMessage =
  'Send a shorter message. If the conversation has grown too long, begin a new one with `chat` and summarize the old one in the first message.';

const timeoutSettings: Readonly<Record<Exclude<CallPurpose, 'query'>, string>> = {
  chat: 'GEMINI_CLI_CHAT_TIMEOUT_MS',
  search: 'GEMINI_CLI_SEARCH_TIMEOUT_MS',
};

const unsupportedReasons: Readonly<Record<UnsupportedFeature, string>> = {
  history: 'this server cannot continue a conversation',
  'system-prompt': 'this server cannot replace the system prompt',
  tools: 'this server cannot give Gemini the tools this needs',
  directory: 'this server cannot let Gemini read a directory',
  media: 'this server cannot send these media',
  'api-key': 'this server cannot use an API key for one call alone',
  sandbox: 'this server cannot run the Gemini CLI in its sandbox',
  'answer-schema': 'the Gemini CLI cannot enforce an answer schema',
  thinking: 'the Gemini CLI and some models have no thinking level',
  'flexible-tier': 'only the Gemini API with an API key has the flexible tier',
  'tool-sources': 'this server cannot give Gemini tools of other servers',
  urls: 'the Gemini CLI cannot let Gemini read web pages by URL',
  'token-count': 'the Gemini CLI cannot count tokens',
  login: 'the Gemini API has no login',
};

/** Source: https://ai.google.dev/gemini-api/docs/api-key. */
const makeKey =
  'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server.';

type Way = 'cli' | 'api' | 'model' | 'login' | 'other';

/** The backend that would offer a feature missing from this server's backends. */
const needed: Readonly<Partial<Record<UnsupportedFeature, Way>>> = {
  tools: 'cli',
  sandbox: 'cli',
  'answer-schema': 'api',
  thinking: 'model',
  'flexible-tier': 'api',
  urls: 'api',
  login: 'login',
};

const waysOut: Readonly<Record<Way, string>> = {
  cli: 'Leave that out of the call. To send files of a directory, name them in gemini_query. Only the Gemini CLI can do it: with GEMINI_MCP_RUNNER=auto such calls use an installed CLI.',
  api: 'Leave that out of the call. Only the Gemini API itself can do it: set GEMINI_MCP_RUNNER=auto and a key in GEMINI_API_KEY.',
  model:
    'Leave that out of the call, or name another model, such as gemini-3.8-flash. Only the Gemini API itself can do it: set GEMINI_MCP_RUNNER=auto and a key in GEMINI_API_KEY.',
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

/** Advice for the reason that every file was left out. With several reasons, wrong names are the likeliest. */
function adviseOnNames(leftOut: readonly LeftOut[]): string {
  const [first, ...others] = new Set(leftOut.map(({ reason }) => reason));
  return (first !== undefined && others.length === 0 ? adviceOnLeftOut[first] : undefined) ?? checkNames;
}

const again = 'Try again. If it keeps happening, check the log of this server.';

/** Failure messages that name the server's settings and tools. The CLI adapter and the core have the others. */
export const serverFailureWords: FailureWords = {
  reasons: {
    ...cliFailureWords.reasons,
    authentication: (failure) => (failure.problem === 'missing' ? 'not logged in to Google' : failureReason(failure)),
    configuration: 'the Gemini CLI could not start with its configuration',
    'malformed-output': 'the response was damaged or incomplete',
    unknown: 'the call failed for an unknown reason',
    'resources-exhausted': 'this machine has run out of a resource that a call needs',
    unsupported: ({ feature }) => unsupportedReasons[feature],
  },
  advice: {
    ...cliFailureWords.advice,
    'cli-missing':
      'Install it with `npm install -g @google/gemini-cli`, or set GEMINI_MCP_CLI to the path of the gemini executable. With an API key, only `sandbox` and `yolo` need it.',
    'runner-unavailable':
      'Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER to `auto` or `headless`, which do not need that mode.',
    authentication: (failure) =>
      failure.problem === 'missing' ? makeKey : failureAdvice(failure, 'query', cliFailureWords),
    configuration:
      "Check the Gemini CLI's settings.json or the Vertex AI credentials, and make sure the state directory (GEMINI_MCP_STATE_DIR) is writable.",
    unsupported: ({ feature }) => waysOut[needed[feature] ?? 'other'],
    'malformed-output': again,
    unknown: again,
    'resources-exhausted':
      'Try again in a moment. If it keeps happening, the operator of this server must raise that limit or free resources.',
    'directory-refused':
      'Name an existing directory inside the allowed ones: the working directory of the server, GEMINI_MCP_ROOTS and GEMINI_MCP_TRUSTED_DIRS.',
    'sandbox-missing': 'Install docker or podman and start it, or leave `sandbox` out.',
    'unknown-session': ({ newest }) =>
      newest.length === 0
        ? 'Begin a session with `chat`.'
        : 'Name an existing session, or begin a new one with `chat`.',
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

/** Failure messages for clients of a server that someone else runs. They say which changes only its operator can make. */
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
  return `Only the operator of this server can change this, on its machine and as its user. ${failureAdvice(failure, 'query', serverFailureWords)}`;
}
