import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { presentTool } from './present-tool.ts';
import { ConnectedTools } from './tools/testing/connected-tools.ts';

const propertySchema = z.looseObject({
  type: z.string(),
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

function describeProperty(name: string, property: Property, isRequired: boolean): string {
  const value = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
  const cells = [
    `\`${name}\``,
    property.type,
    isRequired ? 'required' : value,
    describeLimits(property),
    property.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function describeTool({ name, title, description, annotations, inputSchema }: ListedTool): string {
  const rows = Object.entries(inputSchema.properties ?? {}).map(([property, schema]) =>
    describeProperty(property, propertySchema.parse(schema), inputSchema.required?.includes(property) ?? false),
  );
  const hints = Object.entries(annotations ?? {}).map(([hint, value]) => `\`${hint}: ${String(value)}\``);
  return [
    `## \`${name}\`: ${title ?? ''}`,
    description ?? '',
    `Annotations: ${hints.join(', ')}.`,
    ['| argument | type | default | limits | meaning |', '|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

it('docs/tools.md says what tools/list says (`pnpm vitest -u` writes it anew)', async () => {
  const introduction =
    '# Tools\n\nWritten from the tools themselves by the test `packages/mcp/src/tool-reference.test.ts`: do not edit by hand.';
  const reference = [introduction, ...tools.map((tool) => describeTool(presentTool(tool)))].join('\n\n');
  await expect(`${reference}\n`).toMatchFileSnapshot('../../../docs/tools.md');
});
