import type { RunEvent, RunRequest } from '@gemini-mcp/core';
import type { RunnerMutant } from './runner-mutant.ts';

/** Mutants of parallel runs. */
export const runnerIsolationMutants: readonly RunnerMutant[] = [
  {
    name: 'one-at-a-time',
    wrong: 'begins a run when the one before has ended',
    hangs: true,
    mutate: (right) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        run: async function* run(request, signal) {
          const before = last;
          let end = (): void => undefined;
          last = new Promise<void>((resolve) => {
            end = resolve;
          });
          await before;
          try {
            yield* right.run(request, signal);
          } finally {
            end();
          }
        },
      };
    },
  },
  {
    name: 'mixes-settings',
    wrong: 'uses the key of the last run for all runs that begin together',
    mutate: (right) => {
      let latest: RunRequest['settings'];
      return {
        run: async function* run(request, signal) {
          latest = request.settings;
          await Promise.resolve();
          yield* right.run({ ...request, ...(latest !== undefined && { settings: latest }) }, signal);
        },
      };
    },
  },
  {
    name: 'mixes-answers',
    wrong: 'streams the last piece of text to every parallel run',
    mutate: (right) => {
      let running = 0;
      let last: RunEvent | null = null;
      return {
        run: async function* run(request, signal) {
          running += 1;
          try {
            for await (const event of right.run(request, signal)) {
              const before = last;
              last = event.type === 'text' ? event : last;
              yield event.type === 'text' && running > 1 && before !== null ? before : event;
            }
          } finally {
            running -= 1;
          }
        },
      };
    },
  },
  {
    name: 'keeps-answer',
    wrong: 'sends its last answer with the next message',
    mutate: (right) => {
      let said = '';
      return {
        run: async function* run(request, signal) {
          const history =
            said === ''
              ? []
              : ([
                  { role: 'user', text: 'before' },
                  { role: 'model', text: said },
                ] as const);
          said = '';
          for await (const event of right.run(
            { ...request, history: [...history, ...(request.history ?? [])] },
            signal,
          )) {
            said += event.type === 'text' ? event.text : '';
            yield event;
          }
        },
      };
    },
  },
];
