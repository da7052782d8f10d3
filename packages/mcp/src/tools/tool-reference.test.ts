import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool, ToolScopes } from '../surface/tool.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';

const propertySchema = z.looseObject({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.string() }).optional(),
  description: z.string(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
});

type Property = z.infer<typeof propertySchema>;

const { tools } = new ConnectedTools();

function describeLimits({ minimum, maximum, maxLength, maxItems }: Property): string {
  return [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} of them`]),
  ].join(', ');
}

function describeType({ type, enum: values, items }: Property): string {
  if (values !== undefined) {
    return code(values);
  }
  return items === undefined ? type : `${type} of ${items.type}s`;
}

function describeProperty(property: Property, { name, isRequired }: { name: string; isRequired: boolean }): string {
  const value = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
  const cells = [
    name,
    describeType(property),
    isRequired ? 'required' : value,
    describeLimits(property),
    property.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

function describeScopes({ always, byArgument }: ToolScopes): string {
  const further = Object.entries(byArgument).map(([argument, scopes]) => `with \`${argument}\` also ${code(scopes)}`);
  return [always.length === 0 ? 'none' : code(always), ...further].join('; ');
}

function describeTool({ input, unlisted = [], ...tool }: Tool): string {
  if ('jsonSchema' in input) {
    throw new Error(`${tool.name} has no object of zod`);
  }
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  const rows = Object.entries(properties).map(([name, schema]) =>
    describeProperty(propertySchema.parse(schema), {
      name: unlisted.includes(name) ? `\`${name}\` (unlisted)` : `\`${name}\``,
      isRequired: required.includes(name),
    }),
  );
  const hints = Object.entries(tool.annotations).map(([hint, value]) => `${hint}: ${String(value)}`);
  const declared = [
    `Group: ${code([tool.group ?? ''])}`,
    `REST: ${tool.restPath === undefined ? 'none' : code([`POST /api/${tool.restPath}`])}`,
    `Scopes over HTTP: ${tool.scopes === undefined ? 'all' : describeScopes(tool.scopes)}`,
    `Annotations: ${code(hints)}`,
  ];
  return [
    `## \`${tool.name}\`: ${tool.title}`,
    tool.description,
    declared.map((line) => `- ${line}`).join('\n'),
    ['| argument | type | default | limits | meaning |', '|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

it('docs/tools.md describes every tool (`npx vitest run packages/mcp --update` writes it)', async () => {
  const introduction = [
    '# Tools',
    'On this page you look up every tool with all arguments that it accepts, over MCP and over REST. [Using the tools](guide.md) shows how to use them.',
    'An *unlisted* argument works like any other. Only `tools/list` does not show it: models seldom need it, and every client pays for the list in each conversation. A server that asks the Gemini API itself lists `thinking` and `urls` too.',
    'The test `packages/mcp/src/tools/tool-reference.test.ts` writes this page from the tools: do not edit it by hand.',
  ].join('\n\n');
  const reference = [introduction, ...tools.map(describeTool)].join('\n\n');
  await expect(`${reference}\n`).toMatchFileSnapshot('../../../../docs/tools.md');
});
