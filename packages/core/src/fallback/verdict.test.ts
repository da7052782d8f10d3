import { expect, it } from 'vitest';

import { verdicts } from './next-step.ts';

it('pins what each failure means for the chain', () => {
  expect(verdicts).toEqual({
    'rate-limited': 'retry-then-next-model',
    overloaded: 'retry-then-next-model',
    'server-error': 'retry-then-next-model',
    'empty-answer': 'retry-then-next-model',
    network: 'retry-then-give-up',
    crashed: 'retry-then-give-up',
    'resources-exhausted': 'retry-then-give-up',
    'malformed-output': 'retry-then-give-up',
    'quota-exhausted': 'next-model',
    'capacity-exhausted': 'next-model',
    'model-not-found': 'next-model',
    unknown: 'next-model',
    'cli-missing': 'give-up',
    'cli-outdated': 'give-up',
    'runner-unavailable': 'give-up',
    authentication: 'give-up',
    'tier-retired': 'give-up',
    'untrusted-workspace': 'give-up',
    configuration: 'give-up',
    'invalid-input': 'give-up',
    unsupported: 'give-up',
    'directory-refused': 'give-up',
    'servers-refused': 'give-up',
    'sandbox-missing': 'give-up',
    'unknown-session': 'give-up',
    'search-failed': 'give-up',
    'invalid-answer': 'give-up',
    'no-context': 'give-up',
    'context-too-large': 'give-up',
    blocked: 'give-up',
    'turn-limit': 'give-up',
    'tool-denied': 'give-up',
    hung: 'give-up',
    timeout: 'give-up',
    cancelled: 'give-up',
    busy: 'give-up',
  });
});
