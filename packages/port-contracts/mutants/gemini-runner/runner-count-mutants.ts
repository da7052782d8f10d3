import type { GeminiRunner, RunRequest, TokenCount } from '@gemini-mcp/core';
import { neverAborted, type RunnerMutant } from './runner-mutant.ts';

type Count = NonNullable<GeminiRunner['countTokens']>;

/** Counts with a runner that can. */
export function countBy(
  runner: GeminiRunner,
  request: RunRequest,
  signal: AbortSignal = neverAborted,
): Promise<TokenCount> {
  if (runner.countTokens === undefined) {
    throw new Error(`The ${runner.capabilities.name} runner counts no tokens.`);
  }
  return runner.countTokens(request, signal);
}

function countingBy(
  count: (right: GeminiRunner, ...args: Parameters<Count>) => ReturnType<Count>,
): RunnerMutant['mutate'] {
  return (right) => ({ countTokens: (request, signal) => count(right, request, signal) });
}

/** Mutants of token counts. */
export const runnerCountMutants: readonly RunnerMutant[] = [
  {
    name: 'guesses-count',
    wrong: 'returns a quarter of the characters of the message as the count',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      return counted.ok ? { ok: true, tokens: Math.ceil(request.input.length / 4) } : counted;
    }),
  },
  {
    name: 'count-is-zero-on-failure',
    wrong: 'returns zero tokens when counting failed',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      return !counted.ok && 'excerpt' in counted.failure ? { ok: true, tokens: 0 } : counted;
    }),
  },
  {
    name: 'count-reveals-key',
    wrong: 'reveals the key of the call when counting failed',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      return !counted.ok && 'excerpt' in counted.failure
        ? {
            ok: false,
            failure: { ...counted.failure, excerpt: `${counted.failure.excerpt} ${request.settings?.apiKey}` },
          }
        : counted;
    }),
  },
  {
    name: 'count-leaves-listener',
    wrong: 'leaves a listener on the signal of a count',
    mutate: countingBy((right, request, signal) => {
      signal.addEventListener('abort', () => undefined);
      return countBy(right, request, signal);
    }),
  },
];
