import type { ModelUsage, RunEvent } from '@gemini-mcp/core';
import { changingEnds, changingEvents, isEnd, type RunnerMutant } from './runner-mutant.ts';
import { runnerStatusMutants } from './runner-status-mutants.ts';

function changingUsage(change: (usage: ModelUsage) => ModelUsage): RunnerMutant['mutate'] {
  return changingEvents((event) => [event.type === 'usage' ? { ...event, models: event.models.map(change) } : event]);
}

/** Tells the first piece of text at once, and all else at the end, in another order or with others. */
function rearranging(change: (events: readonly RunEvent[]) => readonly RunEvent[]): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      const events: RunEvent[] = [];
      let isFirst = true;
      for await (const event of right.run(request, signal)) {
        if (isFirst && event.type === 'text') {
          yield event;
        } else {
          events.push(event);
        }
        isFirst = false;
      }
      yield* change(events);
    },
  });
}

function mergeTexts(events: readonly RunEvent[]): readonly RunEvent[] {
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...events.filter(({ type }) => type !== 'text')];
}

/** What they tell of a run, when, and how often. */
export const runnerEventMutants: readonly RunnerMutant[] = [
  { name: 'no-end', wrong: 'tells no end', mutate: changingEnds(() => []) },
  { name: 'two-ends', wrong: 'tells its end twice', mutate: changingEnds((end) => [end, end]) },
  {
    name: 'two-kinds-of-end',
    wrong: 'tells an answer, and that it was cancelled',
    mutate: changingEnds((end) =>
      end.type === 'answer' ? [end, { type: 'failure', failure: { kind: 'cancelled' } }] : [end],
    ),
  },
  {
    name: 'text-after-end',
    wrong: 'tells text after the end',
    mutate: changingEnds((end) => [end, { type: 'text', text: '\n' }]),
  },
  {
    name: 'usage-after-end',
    wrong: 'tells the usage after the end',
    mutate: rearranging((events) => [
      ...events.filter(({ type }) => type !== 'usage'),
      ...events.filter(({ type }) => type === 'usage'),
    ]),
  },
  ...runnerStatusMutants,
  {
    name: 'no-streaming',
    wrong: 'tells all text at the end',
    hangs: true,
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const events: RunEvent[] = [];
        for await (const event of right.run(request, signal)) {
          events.push(event);
        }
        yield* mergeTexts(events);
      },
    }),
  },
  {
    name: 'one-piece-late',
    wrong: 'tells each piece of text when the next one has come',
    hangs: true,
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const held: RunEvent[] = [];
        for await (const event of right.run(request, signal)) {
          yield* held.splice(0);
          held.push(event);
        }
        yield* held;
      },
    }),
  },
  {
    name: 'repeats-text',
    wrong: 'tells a piece of text twice',
    mutate: rearranging((events) =>
      events.flatMap((event, index) => (index === 0 && event.type === 'text' ? [event, event] : [event])),
    ),
  },
  {
    name: 'repeats-whole-text',
    wrong: 'tells the whole answer once more after its pieces',
    mutate: changingEnds((end, text) => [{ type: 'text', text }, end]),
  },
  {
    name: 'loses-last-text',
    wrong: 'loses the last piece of text',
    mutate: rearranging((events) => {
      const last = events.findLast(({ type }) => type === 'text');
      return events.filter((event) => event !== last);
    }),
  },
  {
    name: 'loses-text-before-failure',
    wrong: 'keeps the text of a run that fails to itself',
    hangs: true,
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const held: RunEvent[] = [];
        for await (const event of right.run(request, signal)) {
          held.push(event);
          if (event.type === 'failure') {
            yield event;
            return;
          }
          if (event.type !== 'text' || held.length > 1) {
            yield* held.splice(0);
          }
        }
      },
    }),
  },
  {
    name: 'shuffles-text',
    wrong: 'tells pieces of text in another order',
    mutate: rearranging((events) => [...events.slice(0, -2).toReversed(), ...events.slice(-2)]),
  },
  {
    name: 'drops-blank-text',
    wrong: 'drops pieces of text that show nothing',
    mutate: changingEvents((event) => (event.type === 'text' && event.text.trim() === '' ? [] : [event])),
  },
  {
    name: 'no-usage',
    wrong: 'does not tell what a run used',
    mutate: changingEvents((event) => (event.type === 'usage' ? [] : [event])),
  },
  {
    name: 'no-tokens',
    wrong: 'tells of no tokens',
    mutate: changingUsage(({ model }) => ({ model, inputTokens: 0, outputTokens: 0 })),
  },
  {
    name: 'swaps-tokens',
    wrong: 'takes the tokens of the input for those of the output',
    mutate: changingUsage((usage) => ({
      ...usage,
      inputTokens: usage.outputTokens,
      outputTokens: usage.inputTokens,
    })),
  },
  {
    name: 'adds-up-tokens',
    wrong: 'counts the tokens of the input among those of the output',
    mutate: changingUsage((usage) => ({ ...usage, outputTokens: usage.inputTokens + usage.outputTokens })),
  },
  {
    name: 'usage-of-another-model',
    wrong: 'tells the usage of another model',
    mutate: changingUsage((usage) => ({ ...usage, model: 'gemini' })),
  },
  {
    name: 'usage-twice',
    wrong: 'tells the usage twice',
    mutate: changingEvents((event) => (event.type === 'usage' ? [event, event] : [event])),
  },
  {
    name: 'usage-before-text',
    wrong: 'tells the usage before the last of the text',
    mutate: rearranging((events) => {
      const usage = events.filter(({ type }) => type === 'usage');
      return [...usage, ...events.filter(({ type }) => type !== 'usage')];
    }),
  },
  {
    name: 'failure-as-text',
    wrong: 'tells a failure in the text of an answer',
    mutate: changingEvents((event) =>
      event.type === 'failure'
        ? [
            { type: 'text', text: `Something went wrong: ${event.failure.kind}` },
            { type: 'answer', ending: { type: 'complete' } },
          ]
        : [event],
    ),
  },
  {
    name: 'throws-failures',
    wrong: 'throws what goes wrong',
    mutate: changingEvents((event) => {
      if (event.type === 'failure') {
        throw new Error(event.failure.kind);
      }
      return [event];
    }),
  },
  {
    name: 'throws-at-once',
    wrong: 'throws for what it refuses when it is called',
    mutate: (right) => ({
      run: (request, signal) => {
        if (request.input.length > right.capabilities.maxInputCharacters) {
          throw new RangeError('too large');
        }
        return right.run(request, signal);
      },
    }),
  },
  {
    name: 'remembers-answers',
    wrong: 'gives an answer that it has given before to the same message, without asking',
    mutate: (right) => {
      const known = new Map<string, readonly RunEvent[]>();
      return {
        run: async function* run(request, signal) {
          const events: RunEvent[] = [];
          const before = known.get(request.input);
          for await (const event of before ?? right.run(request, signal)) {
            events.push(event);
            if (isEnd(event)) {
              known.set(request.input, events);
            }
            yield event;
          }
        },
      };
    },
  },
];
