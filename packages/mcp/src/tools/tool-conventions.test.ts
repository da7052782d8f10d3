import type { RunnerCapabilities } from '@gemini-mcp/core';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { introductionOf } from '../handlers/introduction.ts';
import { presentTool } from '../handlers/loaded-surface.ts';
import type { Tool } from '../surface/tool.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';
import { selectTools } from './create-tools.ts';
import { toolDeclarations } from './tool-declarations.ts';

/** Every tool that this package offers. */
const { tools } = new ConnectedTools();

/** The tokens of all tools, by name, description and arguments, with the instructions: every client pays for them in each conversation. */
const budgetTokens = 1_650;

const encoding = new Tiktoken(o200k);

function tokensOf(value: string | object): number {
  return encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}

function tokensOfTool(tool: Tool): number {
  const { name, description, inputSchema } = presentTool(tool);
  return tokensOf({ name, description, inputSchema });
}

/** No object without properties, no alternatives, no reference: OpenAI's strict mode converts each optional argument to one that may be null. */
const strictProperty = z.strictObject({
  type: z.enum(['string', 'integer', 'boolean', 'array']),
  description: z.string(),
  items: z.strictObject({ type: z.literal('string') }).optional(),
  enum: z.array(z.string()).optional(),
});

/** The arguments that calls may give, listed or not. */
function acceptedBy({ input }: Tool): readonly string[] {
  return 'shape' in input ? Object.keys(input.shape) : [];
}

describe.each(tools)('the tool $name', (tool) => {
  const wire = presentTool(tool);

  it('has a name that every client takes', () => {
    expect(wire.name).toMatch(/^[a-z][A-Za-z0-9_-]{1,34}$/);
  });

  it('keeps its wire form', async () => {
    await expect(`${JSON.stringify(wire, null, 2)}\n`).toMatchFileSnapshot(`./__snapshots__/${tool.name}.snap`);
  });

  it('has a title and a description that no client cuts', () => {
    expect(wire.title?.length).toBeGreaterThan(0);
    expect(wire.description?.length).toBeGreaterThan(0);
    expect(wire.description?.length).toBeLessThan(4_096);
  });

  it('states all four annotations', () => {
    expect(Object.keys(wire.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  });

  it('lists every argument that a call needs, and lists none twice', () => {
    const { unlisted = [] } = tool;
    const { properties = {}, required = [] } = wire.inputSchema;
    expect([...Object.keys(properties), ...unlisted].toSorted()).toEqual(acceptedBy(tool).toSorted());
    expect(required.filter((name) => unlisted.includes(name))).toEqual([]);
  });

  it('lists arguments that strict modes of client libraries can convert', () => {
    for (const property of Object.values(wire.inputSchema.properties ?? {})) {
      expect(strictProperty.safeParse(property).error).toBeUndefined();
    }
  });

  it('describes every argument', () => {
    for (const property of Object.values(wire.inputSchema.properties ?? {})) {
      expect(property).toMatchObject({ description: expect.stringMatching(/\w/) });
    }
  });
});

/**
 * The rule by which Codex 0.169 decides whether its user must approve each call of a tool, unless the user has set something else. A
 * destructive tool needs approval, even if it says that it is read-only. A read-only tool needs no approval. Any other tool needs approval
 * unless it says that it neither destroys anything nor reaches an open world.
 */
function needsApprovalInCodex({ annotations }: Pick<Tool, 'annotations'>): boolean {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  return destructiveHint || (!readOnlyHint && openWorldHint);
}

/** The four hints of each tool, in the order read-only, destructive, idempotent, open world, and the reason for them. */
const hints: Readonly<
  Record<string, readonly [readOnly: 0 | 1, destructive: 0 | 1, idempotent: 0 | 1, open: 0 | 1, why: string]>
> = {
  gemini_query: [1, 0, 0, 1, 'text and files go to Google, and each call may get another answer'],
  gemini_context: [1, 0, 1, 1, 'files go to Google to be counted, if the call asks for it'],
  gemini_review: [1, 0, 0, 1, 'a change and the files around it go to Google'],
  gemini_read: [1, 0, 1, 0, 'a record of this server'],
  gemini_job: [1, 0, 1, 0, 'a record of this server'],
  chat: [1, 0, 0, 1, 'changes only the conversation that it keeps'],
  'chat-reply': [1, 0, 0, 1, 'changes only the conversation that it keeps'],
  'chat-delete': [0, 1, 1, 0, 'erases what the user cannot get back'],
  geminiChat: [1, 0, 0, 1, 'reads a directory, with text for Google'],
  gemini_agent: [0, 1, 0, 1, 'may change files and run commands, with text for Google'],
  gemini_undo: [0, 1, 1, 0, 'overwrites files of the project'],
  googleSearch: [1, 0, 0, 1, 'pages of the web'],
};

describe('the annotations', () => {
  it.each(tools)('of $name have their reasons', ({ name, annotations }) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
    const stated = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map(Number);
    expect(stated).toEqual(hints[name]?.slice(0, 4));
  });
});

describe('VS Code', () => {
  it('asks its user before each tool that is not read-only: before no chat', () => {
    const asked = tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
    expect(asked).toEqual(['chat-delete', 'gemini_agent', 'gemini_undo']);
  });
});

describe('Codex', () => {
  const approved = (list: readonly Tool[]): readonly string[] =>
    list.filter(needsApprovalInCodex).map(({ name }) => name);

  it('asks its user before a conversation is deleted or a project is worked on, and before nothing else', () => {
    expect(approved(tools)).toEqual(['chat-delete', 'gemini_agent', 'gemini_undo']);
  });

  it('asks its user before Gemini may run commands', () => {
    const changing = new ConnectedTools({ runPolicy: { allowYolo: true } }).tools;
    expect(approved(changing)).toEqual(['chat-delete', 'geminiChat', 'gemini_agent', 'gemini_undo']);
  });

  it('does not ask before a run that can only read', () => {
    expect(approved(new ConnectedTools({ agent: { mode: 'plan' } }).tools)).toEqual(['chat-delete']);
  });
});

describe('yolo', () => {
  it.each([
    [true, true],
    [false, false],
  ])('is listed, where the operator allows it: %s', (allowYolo, isListed) => {
    const offered = new ConnectedTools({ runPolicy: { allowYolo } }).tools.map(presentTool);
    const listing = offered.filter(({ inputSchema }) => 'yolo' in (inputSchema.properties ?? {}));
    expect(listing.map(({ name }) => name)).toEqual(isListed ? ['geminiChat'] : []);
  });
});

describe('an argument that only some runners support', () => {
  const listed = (capabilities: Partial<RunnerCapabilities>, argument: string): readonly string[] =>
    new ConnectedTools({ capabilities }).tools
      .map(presentTool)
      .filter(({ inputSchema }) => argument in (inputSchema.properties ?? {}))
      .map(({ name }) => name);

  it.each([
    ['thinking', 'thinking', ['gemini_query']],
    ['urls', 'urls', ['gemini_query', 'chat']],
    ['flexibleTier', 'flexible', ['gemini_query']],
  ] as const)('is listed if the runner has %s: %s', (capability, argument, names) => {
    expect(listed({ [capability]: true }, argument)).toEqual(names);
    expect(listed({ [capability]: false }, argument)).toEqual([]);
    expect(listed({}, argument)).toEqual([]);
  });
});

describe('the declarations', () => {
  it('are those of the tools, each by one name and one path', () => {
    expect(tools.map(({ name }) => name)).toEqual(toolDeclarations.map(({ name }) => name));
    expect(tools).toMatchObject(toolDeclarations);
    const paths = toolDeclarations.flatMap(({ restPath }) => restPath ?? []);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => !/^[a-z]+(-[a-z]+)*$/.test(path))).toEqual([]);
  });

  it('name groups that are no tools', () => {
    const names = toolDeclarations.map(({ name }) => name);
    expect(names.filter((name) => toolDeclarations.some(({ group }) => group === name))).toEqual([]);
  });

  it('name arguments that there are, where these need scopes', () => {
    for (const tool of tools) {
      expect(acceptedBy(tool)).toEqual(expect.arrayContaining(Object.keys(tool.scopes?.byArgument ?? {})));
    }
  });
});

describe('the list of tools', () => {
  it.each([{}, { thinking: true, urls: true, flexibleTier: true }])(
    'stays within its budget, for a runner that can do %j',
    (capabilities) => {
      const { tools } = new ConnectedTools({ capabilities });
      const costs = tools.map((tool) => ({ name: tool.name, tokens: tokensOfTool(tool) }));
      const { instructions } = introductionOf({});
      const tokens = costs.reduce((sum, cost) => sum + cost.tokens, tokensOf(instructions ?? ''));
      process.stdout.write(`tools/list and instructions: ${tokens} tokens of ${budgetTokens}\n`);
      const largest = costs.toSorted((one, other) => other.tokens - one.tokens).slice(0, 3);
      const advice = `They cost ${tokens} tokens, and ${budgetTokens} is the budget. Shorten a description (${largest.map(({ name, tokens }) => `${name} ${tokens}`).join(', ')}), or raise budgetTokens with a reason in the commit.`;
      expect(tokens <= budgetTokens, advice).toBe(true);
    },
  );

  it('is what the operator wants of it', () => {
    const namesOf = (selection: Parameters<typeof selectTools>[1]): readonly string[] =>
      selectTools(tools, selection).map(({ name }) => name);
    expect(namesOf({ names: null, readOnly: false })).toEqual(tools.map(({ name }) => name));
    expect(namesOf({ names: ['gemini_query', 'chat'], readOnly: false })).toEqual(['gemini_query', 'chat']);
    expect(namesOf({ names: ['gemini_query', 'chat'], readOnly: true })).toEqual(['gemini_query']);
    expect(namesOf({ names: ['results', 'chat'], readOnly: false })).toEqual(['gemini_read', 'gemini_job', 'chat']);
    const changing = new ConnectedTools({ runPolicy: { allowYolo: true } }).tools;
    const kept = selectTools(changing, { names: null, readOnly: true }).map(({ name }) => name);
    expect(kept).not.toContain('geminiChat');
  });
});
