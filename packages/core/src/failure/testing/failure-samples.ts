import type { FailureKind, GeminiFailure, UnsupportedFeature } from '../gemini-failure.ts';

const excerpt = '';

/** One of each kind: a new kind does not compile without a sample. */
export const failureSamples: { readonly [Kind in FailureKind]: Extract<GeminiFailure, { kind: Kind }> } = {
  'cli-missing': { kind: 'cli-missing', detail: '' },
  'cli-outdated': { kind: 'cli-outdated', excerpt },
  'runner-unavailable': { kind: 'runner-unavailable', excerpt },
  authentication: { kind: 'authentication', problem: 'rejected', excerpt },
  'tier-retired': { kind: 'tier-retired', excerpt },
  'untrusted-workspace': { kind: 'untrusted-workspace', excerpt },
  configuration: { kind: 'configuration', excerpt },
  'resources-exhausted': { kind: 'resources-exhausted', detail: '' },
  'invalid-input': { kind: 'invalid-input', excerpt },
  unsupported: { kind: 'unsupported', feature: 'media' },
  'directory-refused': { kind: 'directory-refused', detail: '' },
  'servers-refused': { kind: 'servers-refused', detail: '' },
  'sandbox-missing': { kind: 'sandbox-missing', excerpt },
  'unknown-session': { kind: 'unknown-session', newest: [] },
  'search-failed': { kind: 'search-failed', excerpt },
  'invalid-answer': { kind: 'invalid-answer', excerpt },
  'no-context': { kind: 'no-context', leftOut: [] },
  'rate-limited': { kind: 'rate-limited', retryAfterMs: null, excerpt },
  'quota-exhausted': { kind: 'quota-exhausted', excerpt },
  'capacity-exhausted': { kind: 'capacity-exhausted', excerpt },
  'model-not-found': { kind: 'model-not-found', excerpt },
  overloaded: { kind: 'overloaded', excerpt },
  'server-error': { kind: 'server-error', httpStatus: 500, excerpt },
  'context-too-large': { kind: 'context-too-large', refusal: null, excerpt },
  blocked: { kind: 'blocked', what: 'answer', excerpt },
  'empty-answer': { kind: 'empty-answer', excerpt },
  'malformed-output': { kind: 'malformed-output', excerpt },
  network: { kind: 'network', excerpt },
  'turn-limit': { kind: 'turn-limit', excerpt },
  'tool-denied': { kind: 'tool-denied', excerpt },
  hung: { kind: 'hung', excerpt },
  timeout: { kind: 'timeout' },
  cancelled: { kind: 'cancelled' },
  busy: { kind: 'busy', retryAfterMs: null },
  crashed: { kind: 'crashed', detail: 'was ended by SIGSEGV', excerpt },
  unknown: { kind: 'unknown', detail: 'ended with exit code 1', excerpt },
};

const unsupportedFeatures: readonly UnsupportedFeature[] = [
  ...(['history', 'system-prompt', 'tools', 'directory', 'api-key', 'sandbox', 'login'] as const),
  ...(['answer-schema', 'thinking', 'flexible-tier', 'urls', 'token-count', 'tool-sources'] as const),
];

/** The samples above, and one of each detail that has a text of its own. */
export const failuresWithWords: readonly GeminiFailure[] = [
  ...Object.values(failureSamples),
  { kind: 'authentication', problem: 'missing', excerpt },
  { kind: 'busy', retryAfterMs: 1_000 },
  { kind: 'rate-limited', retryAfterMs: 1_000, excerpt },
  { kind: 'blocked', what: 'prompt', excerpt },
  ...unsupportedFeatures.map((feature) => ({ kind: 'unsupported', feature }) as const),
];
