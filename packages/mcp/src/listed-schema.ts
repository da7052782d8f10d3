import * as z from 'zod';
import { publishedSchema } from './published-schema.ts';
import type { Tool } from './tool.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The arguments of a tool as tools/list shows them: JSON Schema as it is, and an object of zod in short. Each client pays for every
 * character of it in each conversation, so it lacks what a model cannot use: patterns, formats, limits far above what a call needs, and
 * defaults that say nothing. Calls are held to all of that, and a refusal names it. That no other arguments are accepted is left out as well: a
 * client that checks calls itself would refuse those that are not listed.
 */
export function listedSchema({ input, unlisted = [] }: Pick<Tool, 'input' | 'unlisted'>): unknown {
  if ('jsonSchema' in input) {
    return publishedSchema(input, 'input');
  }
  const schema = z.toJSONSchema(input, { io: 'input', override: ({ jsonSchema }) => shorten(jsonSchema) });
  // Without $schema the dialect is 2020-12, which is what zod writes.
  const { $schema: _dialect, additionalProperties: _closed, properties = {}, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !unlisted.includes(name))),
  };
}

function shorten(schema: JsonSchema): void {
  for (const keyword of ['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const) {
    delete schema[keyword];
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete schema.maximum;
  }
  if (schema.minimum === 0 || schema.minimum === 1) {
    delete schema.minimum;
  }
  if (schema.propertyNames !== undefined) {
    // That of a record: any object.
    delete schema.propertyNames;
    delete schema.additionalProperties;
  }
  if (saysNothing(schema.default)) {
    delete schema.default;
  }
}

function saysNothing(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
