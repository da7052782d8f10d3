import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import { listLacks } from './list-lacks.ts';

/**
 * Why a runner that declares these capabilities has to refuse the request, before it sends anything; null where it can carry it.
 * Sizes are compared as they are declared: a runner that adds to a message declares as much less.
 */
export function refuseRequest(request: RunRequest, capabilities: RunnerCapabilities): GeminiFailure | null {
  const [lack] = listLacks(request, capabilities);
  if (lack === undefined) {
    return null;
  }
  return 'refusal' in lack
    ? { kind: 'context-too-large', refusal: lack.refusal, excerpt: '' }
    : { kind: 'unsupported', feature: lack.unsupported };
}
