import type { RunnerCapabilities } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { presentTool } from '../handlers/loaded-surface.ts';
import type { Tool } from '../surface/tool.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';
import { selectTools } from './create-tools.ts';
import { toolDeclarations } from './tool-declarations.ts';

/** Every tool that this package offers. */
const { tools } = new ConnectedTools();

/**
 * What every client pays for the list in each conversation, at the usual four characters a token: 1,800 for asking Gemini, and 380 for the two
 * tools by which it works on a project, which an operator can leave out.
 */
const budgetTokens = 2_180;

/** No object without properties, no alternatives, no reference: OpenAI's strict mode converts each optional argument to one that may be null. */
const strictProperty = z.strictObject({
  type: z.enum(['string', 'integer', 'boolean', 'array']),
  description: z.string(),
  items: z.strictObject({ type: z.literal('string') }).optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
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
    ['thinking', 'thinking'],
    ['urls', 'urls'],
    ['flexibleTier', 'flexible'],
  ] as const)('is listed if the runner has %s: %s', (capability, argument) => {
    expect(listed({ [capability]: true }, argument)).toEqual(['gemini_query']);
    expect(listed({ [capability]: false }, argument)).toEqual([]);
    expect(listed({}, argument)).toEqual([]);
  });

  it.each([true, false])('declares an open world only if it can read web pages: %s', (urls) => {
    const query = new ConnectedTools({ capabilities: { urls } }).tools.find(({ name }) => name === 'gemini_query');
    expect(query?.annotations.openWorldHint).toBe(urls);
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
      const tokensOf = (listed: readonly Tool[]): number =>
        Math.ceil(JSON.stringify(listed.map(presentTool)).length / 4);
      const tokens = tokensOf(tools);
      process.stdout.write(`tools/list: about ${tokens} tokens of ${budgetTokens}\n`);
      const longest = tools
        .map((tool) => `${tool.name} ${tokensOf([tool])}`)
        .sort((one, other) => Number(other.split(' ')[1]) - Number(one.split(' ')[1]));
      const advice = `The list costs ${tokens} tokens, and ${budgetTokens} is the budget. Shorten a description (${longest.slice(0, 3).join(', ')}), or raise budgetTokens with a reason in the commit.`;
      expect(tokens < budgetTokens, advice).toBe(true);
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
