import { calling, type LoopbackToolServerMutant, listing, resulting } from './loopback-tool-server-mutant.ts';

const listMutants: readonly LoopbackToolServerMutant[] = [
  {
    name: 'one-source',
    wrong: 'offers only the tools of the first source',
    request: (right) => ({ ...right, sources: right.sources.slice(0, 1) }),
  },
  {
    name: 'no-descriptions',
    wrong: 'lists tools without their descriptions',
    source: listing((tools) => tools.map((tool) => ({ ...tool, description: '' }))),
  },
];

const argumentMutants: readonly LoopbackToolServerMutant[] = [
  {
    name: 'trims-arguments',
    wrong: 'trims the texts among the arguments',
    source: calling((args) => mapValues(args, (value) => (typeof value === 'string' ? value.trim() : value))),
  },
  {
    name: 'keeps-added-argument',
    wrong: 'passes on the argument that the Gemini CLI adds',
    asked: (asked) => ({ ...asked, body: asked.body.replaceAll('"wait_for_previous"', '"waits"') }),
    source: calling(({ waits, ...args }) => (waits === undefined ? args : { ...args, wait_for_previous: waits })),
  },
  {
    name: 'drops-known-argument',
    wrong: 'removes that argument also from a tool that has it',
    source: calling(({ wait_for_previous: _, ...args }) => args),
  },
];

const resultMutants: readonly LoopbackToolServerMutant[] = [
  {
    name: 'cuts-results',
    wrong: 'cuts a result after 10,000 characters',
    source: resulting((result) => ({ ...result, text: result.text.slice(0, 10_000) })),
  },
  {
    name: 'refusals-without-data',
    wrong: 'returns refusals without their data',
    source: resulting((result) => (result.isDone ? result : { ...result, data: {} })),
  },
];

const stepMutants: readonly LoopbackToolServerMutant[] = [
  { name: 'no-steps', wrong: 'reports no call', request: (right) => ({ ...right, onStep: () => undefined }) },
  {
    name: 'steps-twice',
    wrong: 'reports each call twice',
    request: (right) => ({
      ...right,
      onStep: (step) => {
        right.onStep(step);
        right.onStep(step);
      },
    }),
  },
];

function mapValues(
  args: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, change(value)]));
}

/** Mutants of offered tools, calls and results. */
export const endpointToolMutants: readonly LoopbackToolServerMutant[] = [
  ...listMutants,
  ...argumentMutants,
  ...resultMutants,
  ...stepMutants,
];
