import { neverAborted, type SessionStoreMutant } from './session-mutant.ts';

/** Mutants of signals. */
export const sessionSignalMutants: readonly SessionStoreMutant[] = [
  {
    name: 'ignores-aborted-list',
    wrong: 'lists although the signal is aborted',
    mutate: ({ right }) => ({ list: (owner, limit) => right.list(owner, limit, neverAborted) }),
  },
  {
    name: 'ignores-aborted-owners',
    wrong: 'names owners although the signal is aborted',
    mutate: ({ right }) => ({ owners: () => right.owners(neverAborted) }),
  },
  {
    name: 'reason-as-text',
    wrong: "rejects with the text of the signal's reason",
    mutate: ({ right }) => ({
      load: (owner, id, signal) =>
        right.load(owner, id, signal).catch((reason) => {
          throw String(reason);
        }),
    }),
  },
  {
    name: 'saves-before-abort',
    wrong: 'rejects for an aborted signal, but saves',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, neverAborted);
        signal.throwIfAborted();
        return saved;
      },
    }),
  },
  {
    name: 'deletes-before-abort',
    wrong: 'rejects for an aborted signal, but deletes',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, neverAborted);
        signal.throwIfAborted();
        return deleted;
      },
    }),
  },
  {
    name: 'abort-on-the-way-is-an-error',
    wrong: 'rejects with an error of its own when aborted during the work',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        if (signal.aborted) {
          throw new Error('aborted');
        }
        return saved;
      },
    }),
  },
  ...(['load', 'save', 'list', 'delete', 'owners'] as const).map((method) => leaking(method)),
];

function leaking(method: 'load' | 'save' | 'list' | 'delete' | 'owners'): SessionStoreMutant {
  const leak = (signal: AbortSignal): AbortSignal => {
    signal.addEventListener('abort', () => undefined);
    return signal;
  };
  return {
    name: `leaks-listener-of-${method}`,
    wrong: `leaves a listener on the signal of ${method}()`,
    mutate: ({ right }) => {
      const all: ReturnType<NonNullable<SessionStoreMutant['mutate']>> = {
        load: (owner, id, signal) => right.load(owner, id, leak(signal)),
        save: (session, version, signal) => right.save(session, version, leak(signal)),
        list: (owner, limit, signal) => right.list(owner, limit, leak(signal)),
        delete: (owner, id, signal) => right.delete(owner, id, leak(signal)),
        owners: (signal) => right.owners(leak(signal)),
      };
      return { [method]: all[method] };
    },
  };
}
