import type { GeminiRunner, InputRefusal, RunRequest } from '@gemini-mcp/core';
import { failed, type RunnerMutant } from './runner-mutant.ts';

/** Refuses if the function says so. */
function refusing(
  refuse: (request: RunRequest, capabilities: GeminiRunner['capabilities']) => InputRefusal | null,
): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      const refusal = refuse(request, right.capabilities);
      yield* refusal === null
        ? right.run(request, signal)
        : [failed({ kind: 'context-too-large', refusal, excerpt: '' })];
    },
  });
}

/** Mutants of declared sizes. */
export const runnerSizeMutants: readonly RunnerMutant[] = [
  {
    name: 'refuses-below-size',
    wrong: 'refuses a message of half the declared size',
    mutate: refusing(({ input }, { maxInputCharacters: limit }) =>
      input.length > limit / 2 ? { measure: 'characters', actual: input.length, limit } : null,
    ),
  },
  {
    name: 'counts-bytes',
    wrong: 'compares the bytes of a message with the limit of characters',
    mutate: refusing(({ input }, { maxInputCharacters: limit }) => {
      const actual = Buffer.byteLength(input);
      return actual > limit ? { measure: 'characters', actual, limit } : null;
    }),
  },
  {
    name: 'refuses-media-below-size',
    wrong: 'accepts nine tenths of the declared media',
    mutate: refusing(({ media = [] }, { maxMediaBytes: limit }) => {
      const actual = media.reduce((sum, { bytes }) => sum + bytes.length, 0);
      return actual > limit * 0.9 ? { measure: 'bytes of media', actual, limit } : null;
    }),
  },
];
