type Form = (value: unknown) => boolean;

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const isType: Form = (value) => types.has(value);
const isText: Form = (value) => typeof value === 'string';
const isNumber: Form = (value) => typeof value === 'number';
const isCount: Form = (value) => Number.isInteger(value) && Number(value) >= 0;
const isObject: Form = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** What is in it is looked at by itself. */
const isSchema: Form = (value) => typeof value === 'boolean' || isObject(value);
const listOf =
  (isItem: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const mapOf =
  (isValue: Form): Form =>
  (value) =>
    isObject(value) && Object.values(Object(value)).every(isValue);
const isNames = listOf(isText);
const isSchemas: Form = (value) => listOf(isSchema)(value) && Array.isArray(value) && value.length > 0;
const isExpression: Form = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
};

/** The forms of the keywords by which values are checked, in every dialect. A keyword of another form would be taken for something else. */
const forms: Readonly<Record<string, Form>> = {
  $ref: isText,
  type: (value) => isType(value) || listOf(isType)(value),
  enum: Array.isArray,
  required: isNames,
  properties: mapOf(isSchema),
  patternProperties: (value) => mapOf(isSchema)(value) && Object.keys(Object(value)).every(isExpression),
  additionalProperties: isSchema,
  unevaluatedProperties: isSchema,
  propertyNames: isSchema,
  minProperties: isCount,
  maxProperties: isCount,
  dependentRequired: mapOf(isNames),
  dependentSchemas: mapOf(isSchema),
  dependencies: mapOf((value) => isNames(value) || isSchema(value)),
  prefixItems: isSchemas,
  items: (value) => isSchema(value) || listOf(isSchema)(value),
  additionalItems: isSchema,
  unevaluatedItems: isSchema,
  contains: isSchema,
  minContains: isCount,
  maxContains: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isExpression,
  format: isText,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  if: isSchema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: isSchema,
  else: isSchema,
  $defs: mapOf(isSchema),
  definitions: mapOf(isSchema),
};

/** The first keyword of a schema that has not the form that JSON Schema gives it; null where there is none. */
export function findMalformedKeyword(schema: object): string | null {
  const malformed = Object.entries(schema).find(([keyword, value]) => {
    const form = Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
    return form !== undefined && !form(value);
  });
  return malformed?.[0] ?? null;
}
