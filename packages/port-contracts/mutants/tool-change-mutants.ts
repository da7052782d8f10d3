import type { ToolProviderMutant } from './tool-provider-mutant.ts';

/** How they tell that the list has changed. */
export const toolChangeMutants: readonly ToolProviderMutant[] = [
  {
    name: 'tells-the-last',
    wrong: 'tells the listener that came last alone',
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
    wrong: 'tells no one when one has stopped to listen',
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
    wrong: 'tells one that listens twice nothing when it stops once',
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
    wrong: 'tells of a change, and lists what was there before',
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
