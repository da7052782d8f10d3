import type { GeminiRunner, RunRequest, TokenCount } from '@gemini-mcp/core';
import { neverAborted, type RunnerMutant, settingsOf } from './runner-mutant.ts';

type Count = NonNullable<GeminiRunner['countTokens']>;

/** Counts by a runner that can. */
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

/** Counts another request than the one that it was given. */
function counting(change: (request: RunRequest) => RunRequest): RunnerMutant['mutate'] {
  return (right) => ({ countTokens: (request, signal) => countBy(right, change(request), signal) });
}

function countingBy(
  count: (right: GeminiRunner, ...args: Parameters<Count>) => ReturnType<Count>,
): RunnerMutant['mutate'] {
  return (right) => ({ countTokens: (request, signal) => count(right, request, signal) });
}

/** What they do wrong when they count tokens. */
export const runnerCountMutants: readonly RunnerMutant[] = [
  {
    name: 'counts-no-history',
    wrong: 'counts the message without the conversation before it',
    mutate: counting(({ history: _, ...request }) => request),
  },
  {
    name: 'counts-no-system-prompt',
    wrong: 'counts without the system prompt',
    mutate: counting((request) => ({ ...request, settings: settingsOf(request, () => ({ systemPrompt: '' })) })),
  },
  {
    name: 'counts-no-media',
    wrong: 'counts the text alone',
    mutate: counting(({ media: _, ...request }) => request),
  },
  {
    name: 'guesses-count',
    wrong: 'tells a quarter of the characters of the message for a count',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      return counted.ok ? { ok: true, tokens: Math.ceil(request.input.length / 4) } : counted;
    }),
  },
  {
    name: 'counts-for-another-model',
    wrong: 'counts by the tokens of one model, whatever the request names',
    mutate: counting((request) => ({ ...request, model: 'gemini-2.5-pro' })),
  },
  {
    name: 'counts-with-its-own-key',
    wrong: 'counts with its own key where the call brings one',
    mutate: counting((request) => ({ ...request, settings: settingsOf(request, () => ({ apiKey: null })) })),
  },
  {
    name: 'counts-by-asking',
    wrong: 'asks the model, and tells the input that it was billed for',
    mutate: countingBy(async (right, request, signal) => {
      let tokens = 0;
      const counted = await countBy(right, request, signal);
      for await (const event of counted.ok ? right.run(request, signal) : []) {
        tokens = event.type === 'usage' ? (event.models[0]?.inputTokens ?? 0) : tokens;
      }
      return counted.ok ? { ok: true, tokens } : counted;
    }),
  },
  {
    name: 'counts-what-it-refuses',
    wrong: 'counts media of a type that it refuses to run',
    mutate: counting(({ media = [], ...request }) => ({
      ...request,
      media: media.filter(({ mediaType }) => mediaType !== 'application/x-never-carried'),
    })),
  },
  {
    name: 'count-rejects',
    wrong: 'rejects where it could not count',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      if (!counted.ok && counted.failure.kind === 'overloaded') {
        throw new Error('The count failed.');
      }
      return counted;
    }),
  },
  {
    name: 'count-is-zero-on-failure',
    wrong: 'tells no tokens where it could not count',
    mutate: countingBy(async (right, request, signal) => {
      const counted = await countBy(right, request, signal);
      return !counted.ok && 'excerpt' in counted.failure ? { ok: true, tokens: 0 } : counted;
    }),
  },
  {
    name: 'count-tells-key',
    wrong: 'tells the key of the call where it could not count',
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
    name: 'count-ignores-abort',
    wrong: 'goes on counting after an abort',
    mutate: countingBy((right, request, signal) => countBy(right, request, signal.aborted ? signal : neverAborted)),
    hangs: true,
  },
  {
    name: 'count-ignores-deadline',
    wrong: 'goes on counting after the deadline',
    mutate: (right, clock) => ({
      countTokens: (request, signal) =>
        countBy(
          right,
          request.deadlineAtMs > clock.now() ? { ...request, deadlineAtMs: request.deadlineAtMs * 2 } : request,
          signal,
        ),
    }),
    hangs: true,
  },
  {
    name: 'count-begins-late',
    wrong: 'counts although the deadline is over',
    mutate: counting((request) => ({ ...request, deadlineAtMs: request.deadlineAtMs + 1_000 })),
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
