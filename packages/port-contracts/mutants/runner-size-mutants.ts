import type { GeminiRunner, InputRefusal, RunRequest } from '@gemini-mcp/core';
import { changingFailures, changingInputs, failed, neverAborted, type RunnerMutant } from './runner-mutant.ts';

/** Refuses where that says so. */
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

/** Declares less than it takes, and cuts or takes what is larger. */
function taking(declared: Partial<GeminiRunner['capabilities']>): RunnerMutant['mutate'] {
  return (right) => ({ capabilities: { ...right.capabilities, ...declared } });
}

function changingRefusals(change: (refusal: InputRefusal) => InputRefusal | null): RunnerMutant['mutate'] {
  return changingFailures((failure) =>
    failure.kind === 'context-too-large' && failure.refusal !== null
      ? { ...failure, refusal: change(failure.refusal) }
      : failure,
  );
}

/** What they do at the sizes that they declare. */
export const runnerSizeMutants: readonly RunnerMutant[] = [
  {
    name: 'cuts-large-message',
    wrong: 'cuts a message that is too large',
    mutate: (right) => ({
      run: (request, signal) =>
        right.run({ ...request, input: request.input.slice(0, right.capabilities.maxInputCharacters) }, signal),
    }),
  },
  {
    name: 'cuts-at-size',
    wrong: 'loses the first character of the largest message',
    mutate: (right) => ({
      run: (request, signal) =>
        right.run(
          request.input.length === right.capabilities.maxInputCharacters
            ? { ...request, input: request.input.slice(1) }
            : request,
          signal,
        ),
    }),
  },
  {
    name: 'cuts-below-size',
    wrong: 'carries the first 60,000 characters of a message',
    mutate: changingInputs((text) => text.slice(0, 60_000)),
  },
  {
    name: 'refuses-below-size',
    wrong: 'refuses a message of half the size that it declares',
    mutate: refusing(({ input }, { maxInputCharacters: limit }) =>
      input.length > limit / 2 ? { measure: 'characters', actual: input.length, limit } : null,
    ),
  },
  {
    name: 'refuses-at-size',
    wrong: 'refuses a message of exactly the size that it declares',
    mutate: refusing(({ input }, { maxInputCharacters: limit }) =>
      input.length >= limit ? { measure: 'characters', actual: input.length, limit } : null,
    ),
  },
  {
    name: 'counts-bytes',
    wrong: 'holds the bytes of a message against the limit of characters',
    mutate: refusing(({ input }, { maxInputCharacters: limit }) => {
      const actual = Buffer.byteLength(input);
      return actual > limit ? { measure: 'characters', actual, limit } : null;
    }),
  },
  { name: 'no-limit', wrong: 'takes a message of any length', mutate: taking({ maxInputCharacters: 200_000 }) },
  {
    name: 'no-byte-limit',
    wrong: 'takes a message of any number of bytes',
    mutate: taking({ maxInputBytes: 400_000 }),
  },
  {
    name: 'forgets-history-size',
    wrong: 'leaves the conversation out of the size',
    mutate: (right) => ({
      run: (request, signal) => {
        const [first, ...rest] = request.history ?? [];
        const size = (request.history ?? []).reduce((sum, { text }) => sum + text.length, request.input.length);
        const isOver = size > right.capabilities.maxInputCharacters && request.input.length < 1_000;
        const history = first === undefined ? [] : [{ ...first, text: first.text.slice(1_000) }, ...rest];
        return right.run(isOver ? { ...request, history } : request, signal);
      },
    }),
  },
  {
    name: 'refuses-history-below-size',
    wrong: 'takes half of its size for a conversation',
    mutate: refusing(({ input, history = [] }, { maxInputCharacters: limit }) => {
      const actual = history.reduce((sum, { text }) => sum + text.length, input.length);
      return history.length > 0 && actual > limit / 2 ? { measure: 'characters', actual, limit } : null;
    }),
  },
  { name: 'no-media-limit', wrong: 'takes media of any size', mutate: taking({ maxMediaBytes: 5_000 }) },
  {
    name: 'media-limit-each',
    wrong: 'holds each medium alone against the limit of all',
    mutate: (right) => ({
      run: (request, signal) => {
        const { maxMediaBytes } = right.capabilities;
        const isEachSmall = (request.media ?? []).every(({ bytes }) => bytes.length <= maxMediaBytes);
        const media = (request.media ?? []).slice(0, 2);
        return right.run(isEachSmall ? { ...request, media } : request, signal);
      },
    }),
  },
  {
    name: 'refuses-media-below-size',
    wrong: 'takes nine tenths of the media that it declares',
    mutate: refusing(({ media = [] }, { maxMediaBytes: limit }) => {
      const actual = media.reduce((sum, { bytes }) => sum + bytes.length, 0);
      return actual > limit * 0.9 ? { measure: 'bytes of media', actual, limit } : null;
    }),
  },
  { name: 'no-sizes', wrong: 'does not say how large a message was', mutate: changingRefusals(() => null) },
  {
    name: 'wrong-limit',
    wrong: 'says another limit than it declares',
    mutate: changingRefusals((refusal) => ({ ...refusal, limit: refusal.limit - 1 })),
  },
  {
    name: 'wrong-measure',
    wrong: 'calls characters bytes',
    mutate: changingRefusals((refusal) => ({ ...refusal, measure: 'bytes' })),
  },
  {
    name: 'refuses-too-late',
    wrong: 'refuses a message that is too large once its beginning is sent',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        if (request.input.length > right.capabilities.maxInputCharacters) {
          for await (const _ of right.run({ ...request, input: 'the beginning' }, neverAborted)) {
            // What comes of it is not told.
          }
        }
        yield* right.run(request, signal);
      },
    }),
  },
];
