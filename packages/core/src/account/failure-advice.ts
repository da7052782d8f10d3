import type { GeminiFailure, InputRefusal } from '../failure/gemini-failure.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import { type CallPurpose, type FailureTexts, type FailureWords, failureText } from './failure-words.ts';

const smallerContext: Readonly<Record<CallPurpose, string>> = {
  query: 'Name fewer or smaller files, or ask about a part of them.',
  chat: 'Send a shorter message. A conversation that has grown too long is best replaced by a new one, with what matters of it in the first message.',
  search: 'Make the query shorter.',
};
const moreTime: Readonly<Record<CallPurpose, string>> = {
  query: 'Give it more time, name fewer files, or choose a faster model.',
  chat: 'Ask for less at once, or choose a faster model.',
  search: 'Ask for less at once, or choose a faster model.',
};
const asIs = 'Try again. If it keeps happening, look into the log of what runs Gemini.';

/** Total on purpose: a new kind of failure does not compile until it has advice here. Like the reasons, it names no program. */
const advice: FailureTexts = {
  'cli-missing': 'Install it with `npm install -g @google/gemini-cli`.',
  'cli-outdated': 'Update it with `npm install -g @google/gemini-cli@latest`.',
  'runner-unavailable': 'Choose another backend.',
  authentication: ({ problem }) =>
    problem === 'missing' ? 'Give an API key, or log in.' : 'Check the API key, or log in again.',
  'tier-retired':
    'Use a paid API key from Google AI Studio, Vertex AI, or a Gemini Code Assist Standard or Enterprise licence.',
  'untrusted-workspace': 'Trust that directory, or name another one.',
  configuration: 'Check the settings of what runs Gemini, and that the directory for its runs can be written.',
  'resources-exhausted': 'Try again in a moment. If it keeps happening, raise that limit or make room.',
  'invalid-input': 'Change the request. The error text is quoted below.',
  unsupported: 'Leave that out of the call.',
  'directory-refused': 'Name an existing directory inside the allowed ones.',
  'servers-refused': 'Name servers that are configured and switched on, or none.',
  'sandbox-missing': 'Install a sandbox and start it, or ask without one.',
  'unknown-session': ({ newest }) =>
    newest.length === 0 ? 'Begin a new one.' : 'Name one of the sessions that there are, or begin a new one.',
  'search-failed': 'Try again, put the query in other words, or name another model.',
  'invalid-answer': 'Try again, name another model, or ask for less at once.',
  'no-context': 'Check the names: they are relative to the working directory.',
  'rate-limited': ({ retryAfterMs }) =>
    retryAfterMs === null
      ? 'Wait a little and try again, or name another model.'
      : `${tryAgainIn(retryAfterMs)}, or name another model.`,
  'quota-exhausted':
    'Name another model, wait until the quota is renewed (midnight Pacific time), or use a key with a higher quota.',
  'capacity-exhausted': 'Name another model, or try again later.',
  'model-not-found': 'Name another model, or none.',
  overloaded: 'Try again in a few minutes, or name another model.',
  'server-error': 'Try again in a few minutes, or name another model.',
  'context-too-large': ({ setLimitBytes }, purpose) =>
    setLimitBytes === undefined ? smallerContext[purpose] : 'Raise that limit, or name smaller files.',
  blocked: "Rephrase the request, or leave out what may offend Google's safety filters.",
  'empty-answer': 'Try again, or name another model. A very large context can have this effect as well.',
  'malformed-output': asIs,
  network: 'Check the connection and the proxy settings.',
  'turn-limit': 'Ask for less in one request.',
  'tool-denied': 'Ask for something that needs no tool.',
  hung: "Ask for something else: the request, or Gemini's search, took too long.",
  timeout: (_, purpose) => moreTime[purpose],
  cancelled: '',
  busy: ({ retryAfterMs }) =>
    retryAfterMs === null ? 'Try again when a running call has ended.' : `${tryAgainIn(retryAfterMs)}.`,
  crashed: asIs,
  unknown: asIs,
};

/** What a user can do about the failure of a call. Begins with the excess over the limit, if it is known. */
export function failureAdvice(
  failure: GeminiFailure,
  purpose: CallPurpose = 'query',
  words: FailureWords = {},
): string {
  const size = failure.kind === 'context-too-large' ? sizeText(failure.refusal) : '';
  return `${size}${failureText(failure, { texts: words.advice, plain: advice, purpose })}`;
}

function tryAgainIn(delayMs: number): string {
  return `Try again in ${countOf(Math.ceil(delayMs / 1000), 'second')}`;
}

function sizeText(refusal: InputRefusal | null): string {
  if (refusal === null) {
    return '';
  }
  const { actual, limit, measure } = refusal;
  return `It comes to ${formatCount(actual)} ${measure}, and ${formatCount(limit)} is the limit. `;
}
