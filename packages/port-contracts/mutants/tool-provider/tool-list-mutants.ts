import { listing, type ToolProviderMutant } from './tool-provider-mutant.ts';

/** Mutants of lists. */
export const toolListMutants: readonly ToolProviderMutant[] = [
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
    name: 'schema-of-no-json',
    wrong: 'lists a schema that JSON cannot represent',
    mutate: listing((tools) =>
      tools.map((tool) => ({ ...tool, inputSchema: { type: 'object', minimum: Number.NaN } })),
    ),
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
