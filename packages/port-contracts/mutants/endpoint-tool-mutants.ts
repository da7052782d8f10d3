import { isJsonRecord } from '../src/offline-api/index.ts';
import { calling, changeMessage, listing, resulting, type ToolEndpointMutant } from './tool-endpoint-mutant.ts';

const listMutants: readonly ToolEndpointMutant[] = [
  {
    name: 'one-source',
    wrong: 'lends the tools of the first source',
    request: (right) => ({ ...right, sources: right.sources.slice(0, 1) }),
  },
  {
    name: 'last-source-first',
    wrong: 'lists the tools of the last source first',
    request: (right) => ({ ...right, sources: right.sources.toReversed() }),
  },
  {
    name: 'sorts-tools',
    wrong: 'sorts the tools of a source by their names',
    source: listing((tools) => tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))),
  },
  { name: 'lists-nothing', wrong: 'lists no tools', source: listing(() => []) },
  {
    name: 'no-changing-tools',
    wrong: 'does not list tools that change something',
    source: listing((tools) => tools.filter(({ changes }) => !changes)),
  },
  {
    name: 'no-descriptions',
    wrong: 'lists tools without their descriptions',
    source: listing((tools) => tools.map((tool) => ({ ...tool, description: '' }))),
  },
  {
    name: 'no-schemas',
    wrong: 'lists tools as if they took any object',
    source: listing((tools) => tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } }))),
  },
];

const argumentMutants: readonly ToolEndpointMutant[] = [
  {
    name: 'trims-arguments',
    wrong: 'trims the texts among the arguments',
    source: calling((args) => mapValues(args, (value) => (typeof value === 'string' ? value.trim() : value))),
  },
  {
    name: 'well-formed-arguments',
    wrong: 'replaces half a surrogate pair among the arguments, or line ends of Windows',
    source: calling((args) =>
      mapValues(args, (value) =>
        typeof value === 'string' ? Buffer.from(value).toString().replaceAll('\r\n', '\n') : value,
      ),
    ),
  },
  {
    name: 'flat-arguments',
    wrong: 'drops arguments that are no plain values',
    source: calling((args) =>
      Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value !== 'object')),
    ),
  },
  {
    name: 'plain-names-only',
    wrong: 'drops arguments with blanks in their names',
    source: calling((args) => Object.fromEntries(Object.entries(args).filter(([name]) => !name.includes(' ')))),
  },
  { name: 'no-arguments', wrong: 'makes calls without their arguments', source: calling(() => ({})) },
  {
    name: 'keeps-added-argument',
    wrong: 'hands on the argument that the Gemini CLI adds',
    asked: (asked) => ({ ...asked, body: asked.body.replaceAll('"wait_for_previous"', '"waits"') }),
    source: calling(({ waits, ...args }) => (waits === undefined ? args : { ...args, wait_for_previous: waits })),
  },
  {
    name: 'drops-known-argument',
    wrong: 'leaves out that argument also where the tool knows it',
    source: calling(({ wait_for_previous: _, ...args }) => args),
  },
  {
    name: 'calls-twice',
    wrong: 'makes each call twice',
    source: (right) => ({
      list: (signal) => right.list(signal),
      call: async (call, signal) => {
        await right.call(call, signal);
        return await right.call(call, signal);
      },
    }),
  },
];

const resultMutants: readonly ToolEndpointMutant[] = [
  {
    name: 'cuts-results',
    wrong: 'gives the first 10,000 characters of a result',
    source: resulting((result) => ({ ...result, text: result.text.slice(0, 10_000) })),
  },
  {
    name: 'trims-results',
    wrong: 'trims the text of a result, and makes its line ends the same',
    source: resulting((result) => ({ ...result, text: result.text.trim().replaceAll('\r\n', '\n') })),
  },
  {
    name: 'no-media',
    wrong: 'gives results without their images',
    source: resulting(({ media: _, ...result }) => result),
  },
  {
    name: 'media-of-another-type',
    wrong: 'gives each image as one of JPEG',
    source: resulting((result) => ({
      ...result,
      ...(result.media && { media: result.media.map((one) => ({ ...one, mediaType: 'image/jpeg' })) }),
    })),
  },
  {
    name: 'no-data',
    wrong: 'gives results without their data',
    source: resulting((result) => ({ ...result, data: {} })),
  },
  {
    name: 'refusals-without-data',
    wrong: 'gives refusals without their data',
    source: resulting((result) => (result.isDone ? result : { ...result, data: {} })),
  },
  {
    name: 'refusals-are-errors',
    wrong: 'marks what was refused as an error',
    answered: (answer) => ({
      ...answer,
      body: changeMessage(answer.body, (message) =>
        answer.body.includes('Refused: ') && isJsonRecord(message['result'])
          ? { ...message, result: { ...message['result'], isError: true } }
          : message,
      ),
    }),
  },
  {
    name: 'refusals-are-faults',
    wrong: 'answers what was refused with an error of the protocol',
    answered: (answer) => ({
      ...answer,
      body: changeMessage(answer.body, ({ jsonrpc, id, ...rest }) =>
        answer.body.includes('Refused: ')
          ? { jsonrpc, id, error: { code: -32_603, message: 'It was refused.' } }
          : { jsonrpc, id, ...rest },
      ),
    }),
  },
  {
    name: 'tells-faults',
    wrong: 'tells the program what a tool said when it failed',
    source: (right) => ({
      list: (signal) => right.list(signal),
      call: async (call, signal) => {
        try {
          return await right.call(call, signal);
        } catch (error) {
          return { text: `Refused: ${String(error)}`, data: { code: 'failed' }, isDone: false };
        }
      },
    }),
  },
];

const stepMutants: readonly ToolEndpointMutant[] = [
  { name: 'no-steps', wrong: 'tells of no call', request: (right) => ({ ...right, onStep: () => undefined }) },
  {
    name: 'only-ends',
    wrong: 'tells of calls when they have ended',
    request: (right) => ({
      ...right,
      onStep: (step) => (step.phase === 'started' ? undefined : right.onStep(step)),
    }),
  },
  {
    name: 'all-succeed',
    wrong: 'tells of what was refused as if it had succeeded',
    request: (right) => ({
      ...right,
      onStep: (step) => right.onStep(step.phase === 'failed' ? { ...step, phase: 'succeeded' } : step),
    }),
  },
  {
    name: 'steps-twice',
    wrong: 'tells of each call twice',
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

/** What they lend, and what they carry to and fro. */
export const endpointToolMutants: readonly ToolEndpointMutant[] = [
  ...listMutants,
  ...argumentMutants,
  ...resultMutants,
  ...stepMutants,
];
