import { countOf, formatCount } from '../footer/format-count.ts';
import type { FailureKind, GeminiFailure } from './gemini-failure.ts';
import type { InputRefusal } from './run-outcome.ts';

/** What a call was for. A user of a chat or a search names no files and gives no timeout: they need other advice. */
export type CallPurpose = 'query' | 'chat' | 'search';

const smallerContext: Readonly<Record<CallPurpose, string>> = {
  query: 'Name fewer or smaller files, or ask about a part of them.',
  chat: 'Send a shorter message. A conversation that has grown too long is best begun anew with `chat`, with what matters of it in the first message.',
  search: 'Make the query shorter.',
};
const moreTime: Readonly<Record<CallPurpose, string>> = {
  query: 'Give a longer `timeout`, name fewer files, or choose a faster model.',
  chat: 'Ask for less at once, or choose a faster model. GEMINI_CLI_CHAT_TIMEOUT_MS sets how long this server waits.',
  search:
    'Ask for less at once, or choose a faster model. GEMINI_CLI_SEARCH_TIMEOUT_MS sets how long this server waits.',
};
const asIs = 'Try again. If it keeps happening, run `gemini` in a terminal to see what it says there.';
const missingLogin =
  'Set GEMINI_API_KEY in the environment of this server, or log in once by running `gemini` in a terminal.';
const raiseLimits = 'GEMINI_MCP_MAX_RUNNING and GEMINI_MCP_MAX_QUEUED say how many calls may run and wait at once.';

const advice: Readonly<Record<Exclude<FailureKind, 'context-too-large' | 'timeout'>, string>> = {
  'cli-missing':
    'Install it with `npm install -g @google/gemini-cli`, or set GEMINI_MCP_CLI to the path of the gemini executable.',
  'cli-outdated': 'Update it with `npm install -g @google/gemini-cli@latest`.',
  'runner-unavailable':
    'Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER to `auto` or `headless`, which do without that mode.',
  authentication:
    'Check GEMINI_API_KEY (or the Vertex AI settings), or log in again by running `gemini` in a terminal.',
  'tier-retired':
    'Use a paid API key from Google AI Studio (GEMINI_API_KEY), Vertex AI, or a Gemini Code Assist Standard or Enterprise licence. Free, Google AI Pro and Google AI Ultra accounts have not been served through the Gemini CLI since June 2026.',
  'untrusted-workspace': asIs,
  configuration:
    "Check the Gemini CLI's settings.json, and that the state directory (GEMINI_MCP_STATE_DIR) can be written.",
  'resources-exhausted':
    'Try again in a moment. If it keeps happening, the operator of this server has to raise that limit or make room.',
  'invalid-input': 'Change the request. What Gemini said of it stands below.',
  unsupported: 'Leave that out of the call.',
  'directory-refused':
    'Name an existing directory inside the allowed ones: the working directory of the server, GEMINI_MCP_ROOTS and GEMINI_MCP_TRUSTED_DIRS.',
  'sandbox-missing': 'Install docker or podman and start it, or leave `sandbox` out.',
  'unknown-session': 'Name one of the sessions that there are, or begin a new one with `chat`.',
  'search-failed': 'Try again, put the query in other words, or name another model.',
  'invalid-answer': 'Try again, name another model, or leave out `raw` to get prose.',
  'no-context': 'Check the names: they are relative to the working directory of the server (GEMINI_CLI_WORKING_DIR).',
  'rate-limited': 'Wait a little and try again, or name another model.',
  'quota-exhausted':
    'Name another model, wait until the quota is renewed (midnight Pacific time), or use a key with a higher quota.',
  'capacity-exhausted': 'Name another model, or try again later.',
  'model-not-found': 'Name another model, or leave `model` out to let the server choose.',
  overloaded: 'Try again in a few minutes, or name another model.',
  'server-error': 'Try again in a few minutes, or name another model.',
  blocked: "Rephrase the request, or leave out what may offend Google's safety filters.",
  'empty-answer': 'Try again, or name another model. A very large context can have this effect as well.',
  'malformed-output': asIs,
  network: 'Check the connection, the proxy settings (HTTPS_PROXY) and GOOGLE_GEMINI_BASE_URL.',
  'turn-limit': 'Ask for less in one request.',
  'tool-denied': 'Ask for something that needs no tool.',
  hung: 'Ask for something else, or about another directory: what was asked, or what Gemini searched for, took the Gemini CLI too long.',
  cancelled: 'Nothing: it was cancelled by the client.',
  busy: `Try again when a running call has ended. ${raiseLimits}`,
  crashed: asIs,
  unknown: asIs,
};

/** What a user can do about the failure of a call. */
export function failureAdvice(failure: GeminiFailure, purpose: CallPurpose = 'query'): string {
  switch (failure.kind) {
    case 'context-too-large':
      return `${sizeText(failure.refusal)}${smallerContext[purpose]}`;
    case 'timeout':
      return moreTime[purpose];
    default:
      return adviceForDetails(failure) ?? advice[failure.kind];
  }
}

function adviceForDetails(failure: GeminiFailure): string | null {
  switch (failure.kind) {
    case 'authentication':
      return failure.problem === 'missing' ? missingLogin : null;
    case 'rate-limited':
      return tryAgainIn(failure.retryAfterMs, ', or name another model.');
    case 'busy':
      return tryAgainIn(failure.retryAfterMs, `. ${raiseLimits}`);
    case 'unknown-session':
      return failure.newest.length === 0 ? 'Begin a session with `chat`.' : null;
    default:
      return null;
  }
}

function tryAgainIn(delayMs: number | null, rest: string): string | null {
  return delayMs === null ? null : `Try again in ${countOf(Math.ceil(delayMs / 1000), 'second')}${rest}`;
}

function sizeText(refusal: InputRefusal | null): string {
  if (refusal === null) {
    return '';
  }
  const { actual, limit, measure } = refusal;
  return `It comes to ${formatCount(actual)} ${measure}, and ${formatCount(limit)} is the limit. `;
}
