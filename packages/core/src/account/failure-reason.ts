import type { GeminiFailure, UnsupportedFeature } from '../failure/gemini-failure.ts';
import { countOf } from '../text/format-count.ts';
import { type FailureTexts, type FailureWords, failureText } from './failure-words.ts';

const unsupportedReasons: Readonly<Record<UnsupportedFeature, string>> = {
  history: 'this backend cannot continue a conversation',
  'system-prompt': 'this backend cannot replace the system prompt',
  tools: 'this backend lacks the tools for the request',
  directory: 'this backend cannot let Gemini read a directory',
  media: 'this backend cannot send these media',
  'api-key': 'this backend cannot use an API key for a single call',
  sandbox: 'this backend has no sandbox',
  'answer-schema': 'this backend cannot hold an answer to a schema',
  thinking: 'this model, or this backend, has no setting for how much to think',
  'flexible-tier': 'only the Gemini API with an API key has the flexible tier',
  'tool-sources': 'this backend cannot offer Gemini tools',
  urls: 'this backend cannot have Gemini read web pages',
  'token-count': 'this backend cannot count tokens',
  login: 'no known login exists here',
};

/**
 * Total on purpose: a new kind of failure does not compile until it has a reason here. Reasons name no program, except for the kinds about one: each
 * runner has texts of its own (`FailureWords`).
 */
const reasons: FailureTexts = {
  'cli-missing': 'gemini-cli not found in PATH',
  'cli-outdated': 'the installed Gemini CLI is too old',
  'runner-unavailable': 'the requested backend did not start',
  authentication: ({ problem }) => (problem === 'missing' ? 'there is no login' : 'Google did not accept the login'),
  'tier-retired': 'Google no longer serves this kind of account',
  'untrusted-workspace': 'the working directory is not trusted',
  configuration: 'the run could not start with its configuration',
  'resources-exhausted': 'the machine has run out of something that a call needs',
  'invalid-input': 'the request was not accepted',
  unsupported: ({ feature }) => unsupportedReasons[feature],
  'directory-refused': 'the working directory cannot be used',
  'servers-refused': 'the servers that the call names cannot be used',
  'sandbox-missing': 'there is no sandbox to run in',
  'unknown-session': 'there is no such session',
  'search-failed': 'Gemini did not search the web, or its search failed',
  'invalid-answer': 'the answer was not in the form that was asked for',
  'no-context': 'none of the named files could be read',
  'rate-limited': 'too many requests for now',
  'quota-exhausted': 'the daily quota of this model is used up',
  'capacity-exhausted': 'Google has no capacity left for this model',
  'model-not-found': 'the model is not available',
  overloaded: 'the model is overloaded',
  'server-error': "an error on Google's side",
  'context-too-large': ({ setLimitBytes }) =>
    setLimitBytes === undefined
      ? 'the message is too large for one call'
      : `no named file fits into the limit of ${countOf(setLimitBytes, 'byte')} of this call`,
  blocked: ({ what }) => (what === 'prompt' ? 'Google blocked the prompt' : 'the answer was blocked'),
  'empty-answer': 'the answer was empty',
  'malformed-output': 'the answer came damaged or incomplete',
  network: 'no connection to Google',
  'turn-limit': 'Gemini reached its limit of turns',
  'tool-denied': 'a tool that Gemini wanted was refused',
  hung: 'the run hung over this request',
  timeout: 'no answer in time',
  cancelled: 'the call was cancelled',
  busy: 'too many calls are running',
  crashed: 'the run crashed',
  unknown: 'the run failed for an unknown reason',
};

/** What happened, as a short phrase of our own. */
export function failureReason(failure: GeminiFailure, words: FailureWords = {}): string {
  return failureText(failure, { texts: words.reasons, plain: reasons, purpose: 'query' });
}
