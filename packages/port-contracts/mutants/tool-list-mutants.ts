import { listing, neverAborted, type ToolSourceMutant } from './tool-source-mutant.ts';

/** What they list. */
export const toolListMutants: readonly ToolSourceMutant[] = [
  { name: 'lists-nothing', wrong: 'lists no tool', mutate: listing(() => []) },
  {
    name: 'twice',
    wrong: 'lists a tool twice',
    mutate: listing((tools) => [...tools, ...tools.slice(0, 1)]),
  },
  {
    name: 'turns-around',
    wrong: 'lists the tools in another order each time',
    mutate: listing((tools, times) => (times % 2 === 0 ? tools.toReversed() : tools)),
  },
  {
    name: 'grows',
    wrong: 'lists one more tool each time',
    mutate: listing((tools, times) => [
      ...tools,
      ...Array.from({ length: times }, (_, index) => ({
        name: `more_${index}`,
        description: 'More.',
        inputSchema: { type: 'object' },
        changes: false,
      })),
    ]),
  },
  {
    name: 'names-with-spaces',
    wrong: 'lists a name with a space',
    mutate: listing((tools) => tools.map((tool, index) => (index === 0 ? { ...tool, name: 'has space' } : tool))),
  },
  {
    name: 'names-of-digits',
    wrong: 'lists a name that begins with a digit',
    mutate: listing(([first, ...tools]) => (first ? [first, ...tools, { ...first, name: '1st' }] : [])),
  },
  {
    name: 'long-names',
    wrong: 'lists a name of 64 characters',
    mutate: listing(([first, ...tools]) => (first ? [first, ...tools, { ...first, name: 'x'.repeat(64) }] : [])),
  },
  {
    name: 'no-name',
    wrong: 'lists an empty name',
    mutate: listing(([first, ...tools]) => (first ? [first, ...tools, { ...first, name: '' }] : [])),
  },
  {
    name: 'says-nothing',
    wrong: 'lists a tool without a description',
    mutate: listing((tools) => tools.map((tool) => ({ ...tool, description: ' ' }))),
  },
  {
    name: 'takes-a-string',
    wrong: 'lists a tool whose arguments are a string',
    mutate: listing((tools) => tools.map((tool) => ({ ...tool, inputSchema: { type: 'string' } }))),
  },
  {
    name: 'schema-without-type',
    wrong: 'lists a tool whose schema has no type',
    mutate: listing((tools) => tools.map((tool) => ({ ...tool, inputSchema: {} }))),
  },
  {
    name: 'schema-of-no-json',
    wrong: 'lists a schema that JSON cannot carry',
    mutate: listing((tools) =>
      tools.map((tool) => ({ ...tool, inputSchema: { type: 'object', minimum: Number.NaN } })),
    ),
  },
  {
    name: 'lists-after-abort',
    wrong: 'lists although it is aborted',
    mutate: (right) => ({ list: () => right.list(neverAborted) }),
  },
  {
    name: 'own-reason',
    wrong: 'rejects an aborted list with a reason of its own',
    mutate: (right) => ({
      list: (signal) => (signal.aborted ? Promise.reject(new Error('aborted')) : right.list(signal)),
    }),
  },
  {
    name: 'empty-after-abort',
    wrong: 'lists nothing when it is aborted, instead of rejecting',
    mutate: (right) => ({ list: async (signal) => (signal.aborted ? [] : await right.list(signal)) }),
  },
  {
    name: 'list-listens',
    wrong: 'leaves a listener on the signal of each list',
    mutate: (right) => ({
      list: (signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.list(signal);
      },
    }),
  },
  {
    name: 'never-lists',
    wrong: 'never lists',
    hangs: true,
    mutate: () => ({ list: () => new Promise(() => undefined) }),
  },
];
