import { neverAborted, resulting, type ToolSourceMutant } from './tool-source-mutant.ts';

const nothing = { text: 'Done.', data: {}, isDone: true };

/** What they do with calls, and what comes of them. */
export const toolCallMutants: readonly ToolSourceMutant[] = [
  {
    name: 'calls-nothing',
    wrong: 'says that it is done, and calls no tool',
    mutate: (right) => ({
      call: async (call, signal) => (call.name === 'echo' ? nothing : await right.call(call, signal)),
    }),
  },
  {
    name: 'calls-twice',
    wrong: 'carries each call out twice',
    mutate: (right) => ({
      call: async (call, signal) => {
        if (call.name === 'echo') {
          await right.call(call, signal);
        }
        return await right.call(call, signal);
      },
    }),
  },
  {
    name: 'loses-arguments',
    wrong: 'carries no arguments',
    mutate: (right) => ({ call: (call, signal) => right.call({ ...call, arguments: {} }, signal) }),
  },
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
    wrong: 'writes into the arguments that it is given',
    mutate: (right) => ({
      call: (call, signal) => {
        Object.assign(call.arguments, { called: true });
        return right.call(call, signal);
      },
    }),
  },
  { name: 'bare-data', wrong: 'answers with bare JSON', mutate: resulting((result) => ({ ...result, text: '[1]' })) },
  {
    name: 'json-word',
    wrong: 'answers with a word that is JSON',
    mutate: resulting((result) => ({ ...result, text: 'true', data: { ...result.data, text: result.text } })),
  },
  { name: 'no-text', wrong: 'answers without a text', mutate: resulting((result) => ({ ...result, text: '' })) },
  {
    name: 'begins-with-space',
    wrong: 'answers with a text that begins with a line end',
    mutate: resulting((result) => ({ ...result, text: `\n${result.text}` })),
  },
  {
    name: 'data-of-no-json',
    wrong: 'answers with data that JSON cannot carry',
    mutate: resulting((result) => ({ ...result, data: { ...result.data, size: Number.POSITIVE_INFINITY } })),
  },
  {
    name: 'never-done',
    wrong: 'says of a call that was carried out that it was not',
    mutate: resulting((result) => ({ ...result, isDone: false })),
  },
  {
    name: 'always-done',
    wrong: 'says of a refused call that it was carried out',
    mutate: resulting((result) => ({ ...result, isDone: true })),
  },
  {
    name: 'rejects-unknown',
    wrong: 'rejects a call of a tool that is not there',
    mutate: (right) => ({
      call: async (call, signal) => {
        const result = await right.call(call, signal);
        if (result.data['code'] === 'not-found') {
          throw new Error('no such tool');
        }
        return result;
      },
    }),
  },
  {
    name: 'knows-prototype',
    wrong: 'takes the names of every object for tools',
    mutate: (right) => ({
      call: async (call, signal) => (call.name in {} ? nothing : await right.call(call, signal)),
    }),
  },
  {
    name: 'takes-any-name',
    wrong: 'calls another tool in the place of one that is not there',
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
          throw new TypeError('text is no string');
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
    name: 'wants-a-list',
    wrong: 'knows no tool before it was listed',
    mutate: (right) => {
      let listed = false;
      return {
        list: (signal) => {
          listed = true;
          return right.list(signal);
        },
        call: async (call, signal) =>
          listed ? await right.call(call, signal) : { text: 'Refused: list first.', data: {}, isDone: false },
      };
    },
  },
  {
    name: 'crosses-answers',
    wrong: 'gives a call the answer of the one before',
    mutate: (right) => {
      let last = nothing;
      return {
        call: async (call, signal) => {
          const result = await right.call(call, signal);
          if (call.name !== 'echo' || !String(call.arguments['text']).startsWith('word')) {
            return result;
          }
          const given = last;
          last = { ...result, data: {} };
          return given;
        },
      };
    },
  },
  {
    name: 'remembers-answers',
    wrong: 'answers a call as the first one of its tool',
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
    wrong: 'makes calls one after the other',
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
    name: 'call-listens',
    wrong: 'leaves a listener on the signal of each call',
    mutate: (right) => ({
      call: (call, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.call(call, signal);
      },
    }),
  },
  {
    name: 'never-answers',
    wrong: 'never answers',
    hangs: true,
    mutate: () => ({ call: () => new Promise(() => undefined) }),
  },
  {
    name: 'calls-aborted',
    wrong: 'carries a call out that was aborted before it began',
    mutate: (right) => ({
      call: (call, signal) => right.call(call, call.name === 'echo' ? neverAborted : signal),
    }),
  },
];
