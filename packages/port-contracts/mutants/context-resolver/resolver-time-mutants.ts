import {
  changingPlace,
  changingSelection,
  createRightResolver,
  type ResolverMutant,
  withoutEntries,
} from './resolver-mutant.ts';

/** Mutants of how calls end. */
export const timeMutants: readonly ResolverMutant[] = [
  {
    name: 'deadline-at-start',
    wrong: 'checks the deadline only at the start',
    create: changingSelection(({ deadlineAtMs }, { clock }) => ({
      deadlineAtMs: clock.now() >= deadlineAtMs ? 0 : Number.MAX_SAFE_INTEGER,
    })),
  },
  {
    name: 'hides-deadline',
    wrong: 'does not report what it had no time for',
    create: withoutEntries(({ reason }) => reason === 'deadline'),
  },
  {
    name: 'own-clock',
    wrong: 'uses a clock of its own',
    create: changingPlace(() => ({ clock: { now: () => Date.now(), sleep: async () => undefined } })),
  },
  {
    name: 'ignores-abort',
    wrong: 'goes on when the signal is aborted during the work',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          signal.throwIfAborted();
          return right.resolve(selection, new AbortController().signal);
        },
      };
    },
  },
  {
    name: 'own-error',
    wrong: "rejects with an error of its own instead of the signal's reason",
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: (selection, signal) =>
          right.resolve(selection, signal).catch(() => {
            throw new Error('aborted');
          }),
      };
    },
  },
  {
    name: 'leaks-listener',
    wrong: 'leaves a listener on the signal',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: (selection, signal) => {
          signal.addEventListener('abort', () => undefined);
          return right.resolve(selection, signal);
        },
      };
    },
  },
  {
    name: 'hangs-on-nothing',
    wrong: 'never settles if nothing is named',
    hangs: true,
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          const bundle = await right.resolve(selection, signal);
          const isEmpty = bundle.documents.length + bundle.leftOut.length === 0;
          return isEmpty ? new Promise<never>(() => undefined) : bundle;
        },
      };
    },
  },
];
