import { resulting, type ToolProviderMutant } from './tool-provider-mutant.ts';

const nothing = { text: 'Done.', data: {}, isDone: true };

/** Mutants of calls and results. */
export const toolCallMutants: readonly ToolProviderMutant[] = [
  {
    name: 'trims-arguments',
    wrong: 'trims texts in the arguments',
    mutate: (right) => ({
      call: (call, signal) => {
        const trimmed = Object.entries(call.arguments).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replace(/\s+/g, ' ').replace('< ', '<') : value,
        ]);
        return right.call({ ...call, arguments: Object.fromEntries(trimmed) }, signal);
      },
    }),
  },
  {
    name: 'expands-arguments',
    wrong: 'expands `$(…)` in the arguments',
    mutate: (right) => ({
      call: (call, signal) => {
        const text = String(call.arguments['text']).replaceAll(/\$\(\w+\)/g, 'root');
        return right.call({ ...call, arguments: { ...call.arguments, text } }, signal);
      },
    }),
  },
  {
    name: 'changes-arguments',
    wrong: 'changes the arguments that it is given',
    mutate: (right) => ({
      call: (call, signal) => {
        Object.assign(call.arguments, { called: true });
        return right.call(call, signal);
      },
    }),
  },
  {
    name: 'data-of-no-json',
    wrong: 'answers with data that JSON cannot represent',
    mutate: resulting((result) => ({ ...result, data: { ...result.data, size: Number.POSITIVE_INFINITY } })),
  },
  {
    name: 'knows-prototype',
    wrong: 'takes the properties of every object for tools',
    mutate: (right) => ({
      call: async (call, signal) => (call.name in {} ? nothing : await right.call(call, signal)),
    }),
  },
  {
    name: 'takes-any-name',
    wrong: 'calls another tool in the place of a missing one',
    mutate: (right) => ({
      call: (call, signal) => right.call(call.name === 'wait' ? call : { ...call, name: 'echo' }, signal),
    }),
  },
  {
    name: 'rejects-arguments',
    wrong: 'rejects arguments that do not fit',
    mutate: (right) => ({
      call: async (call, signal) => {
        if (call.name === 'echo' && typeof call.arguments['text'] !== 'string') {
          throw new TypeError('text is not a string');
        }
        return await right.call(call, signal);
      },
    }),
  },
  {
    name: 'gives-up',
    wrong: 'refuses all calls after the first refusal',
    mutate: (right) => {
      let refused = false;
      return {
        call: async (call, signal) => {
          const result = refused ? { text: 'Refused: no.', data: {}, isDone: false } : await right.call(call, signal);
          refused ||= !result.isDone;
          return result;
        },
      };
    },
  },
  {
    name: 'remembers-answers',
    wrong: 'answers every call of a tool as the first one',
    mutate: (right) => {
      let first: ReturnType<typeof right.call> | undefined;
      return {
        call: (call, signal) => {
          if (call.name !== 'echo') {
            return right.call(call, signal);
          }
          first ??= right.call(call, signal);
          return first;
        },
      };
    },
  },
  {
    name: 'one-at-a-time',
    wrong: 'runs calls one after the other',
    hangs: true,
    mutate: (right) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        call: (call, signal) => {
          const made = last.then(() => right.call(call, signal));
          last = made;
          return made;
        },
      };
    },
  },
  {
    name: 'never-answers',
    wrong: 'never answers',
    hangs: true,
    mutate: () => ({ call: () => new Promise(() => undefined) }),
  },
];
