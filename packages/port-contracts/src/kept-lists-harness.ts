import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';
import { hostileText } from './hostile-text.ts';
import type { Proof } from './proof.ts';
import type { RecordsHarness } from './records-in-directory.ts';
import type { StoreFeatures } from './store-features.ts';

/** `damage` is called with a key. */
export type KeptListsHarness = RecordsHarness<KeptLists>;

export type KeptListsSubject = {
  readonly proof: Proof;
  readonly open: () => Promise<KeptListsHarness>;
  readonly features: StoreFeatures;
};

export const key: string = 'a'.repeat(64);
export const otherKey: string = 'b'.repeat(64);

/** As JSON has it: a literal would set the prototype. */
const hostileProperties: unknown = JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "const": 1 } }');

/** Lists with nothing in them but tools of these names. */
export function listsOf(names: readonly string[], fields: Partial<ServerLists> = {}): ServerLists {
  const tools = names.map((name) => ({
    name,
    title: null,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties: hostileProperties },
    outputSchema: null,
    annotations: {},
  }));
  return { tools, prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 1, ...fields };
}

/** Lists with something in each place. */
export const fullLists: ServerLists = {
  tools: [
    {
      name: 'write file',
      title: ' Write ',
      description: `${hostileText}\u0000\ud83d`,
      inputSchema: { type: 'object', properties: hostileProperties, required: [] },
      outputSchema: { type: 'object', additionalProperties: false },
      annotations: { readOnlyHint: false, title: null },
    },
    ...listsOf(['__proto__', 'look', 'Look', 'add']).tools,
  ],
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: '',
      arguments: [
        { name: 'path', description: 'Which', isRequired: true },
        { name: 'depth', description: '', isRequired: false },
      ],
    },
    { name: 'plain', title: null, description: 'None', arguments: [] },
  ],
  resources: [
    { uri: 'file:///a', isTemplate: false, name: 'a', title: null, description: 'A', mediaType: 'text/plain' },
    { uri: 'file:///{path}', isTemplate: true, name: 'any', title: 'Any', description: '', mediaType: null },
  ],
  instructions: `Use it well.\r\n${hostileText}`,
  leftOut: ['The tool "x" has no schema.', ''],
  takenAtMs: 1_700_000_000_123,
};
