import * as z from 'zod';

const type = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const count = z.int().min(0);
const names = z.array(z.string());
/** Checked where it is met as a schema of its own. */
const schema = z.union([z.boolean(), z.looseObject({})]);
const schemas = z.array(schema).min(1);
const schemasByName = z.record(z.string(), schema);
const expression = z.string().refine(isExpression, { error: 'is no regular expression' });

/** The forms of the keywords by which values are checked, in every dialect. A keyword of another form would be taken for something else. */
export const schemaShape: z.ZodObject = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([type, z.array(type).min(1)]).optional(),
  enum: z.array(z.unknown()).optional(),
  required: names.optional(),
  properties: schemasByName.optional(),
  patternProperties: z.record(expression, schema).optional(),
  additionalProperties: schema.optional(),
  unevaluatedProperties: schema.optional(),
  propertyNames: schema.optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  dependentRequired: z.record(z.string(), names).optional(),
  dependentSchemas: schemasByName.optional(),
  dependencies: z.record(z.string(), z.union([names, schema])).optional(),
  prefixItems: schemas.optional(),
  items: z.union([schema, z.array(schema)]).optional(),
  additionalItems: schema.optional(),
  unevaluatedItems: schema.optional(),
  contains: schema.optional(),
  minContains: count.optional(),
  maxContains: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  uniqueItems: z.boolean().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().positive().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: expression.optional(),
  format: z.string().optional(),
  allOf: schemas.optional(),
  anyOf: schemas.optional(),
  oneOf: schemas.optional(),
  not: schema.optional(),
  if: schema.optional(),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: schema.optional(),
  else: schema.optional(),
  $defs: schemasByName.optional(),
  definitions: schemasByName.optional(),
});

function isExpression(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
