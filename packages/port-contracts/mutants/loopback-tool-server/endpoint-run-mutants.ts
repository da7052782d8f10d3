import { changeMessage, type LoopbackToolServerMutant, listing } from './loopback-tool-server-mutant.ts';

const orderMutants: readonly LoopbackToolServerMutant[] = [
  {
    name: 'changes-side-by-side',
    wrong: 'makes changes in parallel',
    source: listing((tools) => tools.map((tool) => ({ ...tool, changes: false }))),
  },
  {
    name: 'as-they-come',
    wrong: 'makes changes in order of arrival',
    asked: (asked, _, memory) => ({
      ...asked,
      body: changeMessage(asked.body, (message) => {
        const next = (memory.get('next') ?? 1) + 1;
        const isCall = message['method'] === 'tools/call';
        memory.set('next', isCall ? next : (memory.get('next') ?? 1));
        return isCall ? { ...message, id: next } : message;
      }),
    }),
  },
  {
    name: 'repeats',
    wrong: 'executes a call again that is repeated with its id',
    asked: (asked, _, memory) => ({
      ...asked,
      body: changeMessage(asked.body, (message) => {
        const key = `${asked.path} ${String(message['id'])}`;
        const times = memory.get(key) ?? 0;
        memory.set(key, times + 1);
        const last = memory.get('last') ?? 1;
        const id = times === 0 || typeof message['id'] !== 'number' ? message['id'] : last + 1;
        memory.set('last', typeof id === 'number' ? Math.max(last, id) : last);
        return id === undefined ? message : { ...message, id };
      }),
    }),
  },
  {
    name: 'repeats-are-answered',
    wrong: 'answers a repeated call as if it had been executed',
    answered: (answer, { body }) =>
      answer.status === 400 && body.includes('tools/call')
        ? { status: 200, body: '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}' }
        : answer,
  },
  {
    name: 'loses-answers',
    wrong: 'loses the answer of every hundredth call',
    answered: (answer, { body }) => (/"id":\d*00,/.test(body) ? { status: 202, body: '' } : answer),
  },
];

const toolSessionMutants: readonly LoopbackToolServerMutant[] = [
  {
    name: 'never-listed',
    wrong: 'never reports that its list was read',
    toolSession: () => ({ listed: new Promise(() => undefined) }),
    hangs: true,
  },
  { name: 'counts-twice', wrong: 'counts each call twice', toolSession: (right) => ({ calls: () => right.calls * 2 }) },
];

const endMutants: readonly LoopbackToolServerMutant[] = [
  { name: 'stays-open', wrong: 'stays open after its end', toolSession: () => ({ close: async () => undefined }) },
  {
    name: 'closes-once',
    wrong: 'rejects when it is closed twice',
    toolSession: (right) => {
      let isClosed = false;
      return {
        close: async () => {
          if (isClosed) {
            throw new Error('It is closed.');
          }
          isClosed = true;
          await right.close();
        },
      };
    },
  },
  { name: 'unheard-abort', wrong: 'goes on after the abort of its run', deaf: true },
  {
    name: 'late-steps',
    wrong: 'reports the end of a call after the end of its run',
    source: (right, { onStep }) => ({
      list: (signal) => right.list(signal),
      call: async (call, signal) => {
        const result = await right.call(call, signal);
        if (signal.aborted) {
          onStep({ type: 'tool', name: call.name, phase: 'succeeded' });
        }
        return result;
      },
    }),
  },
  {
    name: 'deadline-is-nothing',
    wrong: 'begins calls after the deadline',
    request: (right) => ({ ...right, deadlineAtMs: Number.POSITIVE_INFINITY }),
  },
  {
    name: 'closed-is-refused',
    wrong: 'answers after the end as if only the token were wrong',
    answered: (answer) => (answer.status === 404 ? { ...answer, status: 401 } : answer),
  },
];

const goingOnMutants: readonly LoopbackToolServerMutant[] = [
  { name: 'one-digest', wrong: 'gives all lists the same name', toolSession: () => ({ toolsDigest: '' }) },
  {
    name: 'digest-without-schemas',
    wrong: 'gives lists the same name although their tools take other arguments',
    toolSession: (_, { tools }) => ({ toolsDigest: hexOf(tools.map(({ inputSchema: __, ...tool }) => tool)) }),
  },
  {
    name: 'digest-reveals',
    wrong: 'names lists by their content',
    toolSession: (_, { tools }) => ({ toolsDigest: JSON.stringify(tools) }),
  },
  { name: 'first-number', wrong: 'names the first number as the next', toolSession: () => ({ nextNumber: () => 2 }) },
  {
    name: 'last-number',
    wrong: 'names the last number as the next',
    toolSession: (right) => ({ nextNumber: () => right.nextNumber - 1 }),
  },
  {
    name: 'does-not-go-on',
    wrong: 'makes a program that goes on wait for numbers that it has used',
    toolSession: () => ({ goOn: () => undefined }),
    hangs: true,
  },
];

/** Reveals everything to its reader, and does not report it. */
function hexOf(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('hex');
}

/** Mutants of the order of calls, of runs and of their ends. */
export const endpointRunMutants: readonly LoopbackToolServerMutant[] = [
  ...orderMutants,
  ...toolSessionMutants,
  ...endMutants,
  ...goingOnMutants,
];
