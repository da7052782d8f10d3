import type { ToolProviderMutant } from './tool-provider-mutant.ts';

/** Mutants of change notices. */
export const toolChangeMutants: readonly ToolProviderMutant[] = [
  {
    name: 'notifies-the-last',
    wrong: 'notifies only the newest listener',
    hangs: true,
    mutate: (right) => {
      let stop = (): void => undefined;
      return {
        onChange: (listener) => {
          stop();
          stop = right.onChange(listener);
          return stop;
        },
      };
    },
  },
  {
    name: 'stops-all',
    wrong: 'notifies no one once a listener has stopped',
    hangs: true,
    mutate: (right) => {
      const stops: (() => void)[] = [];
      return {
        onChange: (listener) => {
          stops.push(right.onChange(listener));
          return () => {
            for (const stop of stops) {
              stop();
            }
            right.onChange = () => () => undefined;
          };
        },
      };
    },
  },
  {
    name: 'stops-both',
    wrong: 'stops both subscriptions of a listener when one stops',
    mutate: (right) => {
      const listeners = new Set<() => void>();
      right.onChange(() => {
        for (const listener of [...listeners]) {
          listener();
        }
      });
      return {
        onChange: (listener) => {
          listeners.add(listener);
          return () => {
            listeners.delete(listener);
          };
        },
      };
    },
  },
  {
    name: 'old-list',
    wrong: 'reports a change, and lists the old tools',
    mutate: (right) => {
      let first: ReturnType<typeof right.list> | undefined;
      return {
        list: (signal) => {
          if (signal.aborted) {
            return right.list(signal);
          }
          first ??= right.list(signal);
          return first;
        },
      };
    },
  },
];
