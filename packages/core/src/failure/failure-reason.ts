import type { FailureKind, GeminiFailure } from './gemini-failure.ts';
import type { UnsupportedFeature } from './run-outcome.ts';

const reasons: Readonly<Record<FailureKind, string>> = {
  'cli-missing': 'gemini-cli not found in PATH',
  'cli-outdated': 'the installed Gemini CLI is too old',
  'runner-unavailable': "the Gemini CLI's session mode (`gemini --acp`) did not start",
  authentication: 'Google did not accept the login',
  'tier-retired': 'Google no longer serves this kind of account through the Gemini CLI',
  'untrusted-workspace': 'the Gemini CLI did not trust its working directory',
  configuration: 'the Gemini CLI could not start with its configuration',
  'resources-exhausted': 'this machine has run out of something that a call needs',
  'invalid-input': 'the request was not accepted',
  unsupported: 'this server cannot do what was asked',
  'directory-refused': 'the working directory cannot be used',
  'sandbox-missing': 'the Gemini CLI found no sandbox to run in',
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
  'context-too-large': 'the message is larger than Gemini can take',
  blocked: 'the answer was blocked',
  'empty-answer': 'the answer was empty',
  'malformed-output': 'the output of the Gemini CLI was damaged or incomplete',
  network: 'no connection to Google',
  'turn-limit': 'Gemini reached its limit of turns',
  'tool-denied': 'a tool that Gemini wanted was refused',
  hung: 'the Gemini CLI hung over this request',
  timeout: 'no answer in time',
  cancelled: 'the call was cancelled',
  busy: 'too many calls are running',
  crashed: 'the Gemini CLI crashed',
  unknown: 'the Gemini CLI failed in a way that is not known',
};

const unsupportedReasons: Readonly<Record<UnsupportedFeature, string>> = {
  history: 'this server cannot go on with a conversation',
  'system-prompt': 'this server cannot replace the system prompt',
  tools: 'this server cannot give Gemini the tools that this needs',
  directory: 'this server cannot let Gemini read a directory',
  media: 'this server cannot send images or PDFs',
  'api-key': 'this server cannot use an API key for one call alone',
  sandbox: 'this server cannot run the Gemini CLI in its sandbox',
  login: 'the Gemini CLI has no login that this server knows of',
};

/** What happened, in a few words of ours. */
export function failureReason(failure: GeminiFailure): string {
  if (failure.kind === 'authentication' && failure.problem === 'missing') {
    return 'the Gemini CLI has no login';
  }
  if (failure.kind === 'blocked' && failure.what === 'prompt') {
    return 'Google blocked the prompt';
  }
  return failure.kind === 'unsupported' ? unsupportedReasons[failure.feature] : reasons[failure.kind];
}
