import { type Schema, validate } from '@cfworker/json-schema';
import { toGeminiSchema } from '@gemini-mcp/core/internal';
import { findSchemaRefusal } from '@gemini-mcp/port-contracts/offline-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json-object.ts';

const text: Schema & JsonObject = { type: 'string' };

describe('the schema for the Gemini API', () => {
  it('keeps a schema of supported keywords whole', () => {
    const schema = {
      title: 'Fox',
      description: 'An animal.',
      type: 'object',
      properties: {
        name: { type: ['string', 'null'], format: 'date-time', title: 'Name' },
        kind: { type: 'string', enum: ['red', 'grey'] },
        age: { type: 'integer', minimum: 0, maximum: 20 },
        den: { $ref: '#/$defs/den' },
        pair: { type: 'array', prefixItems: [text, { type: 'number' }] },
      },
      required: ['name', 'den'],
      additionalProperties: false,
      $defs: { den: { anyOf: [text, { type: 'array', items: text }] } },
    };
    expect(toGeminiSchema(schema)).toEqual(schema);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['oneOf as anyOf', { oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }],
    ['a constant as the only value', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['null as its type', { const: null }, { type: 'null' }],
    ['an object as its type', { enum: [{ a: 1 }, {}] }, { type: 'object' }],
    [
      'values of several types as choices',
      { enum: ['a', null, 1, 'b', true] },
      {
        anyOf: [
          { type: 'string', enum: ['a', 'b'] },
          { type: 'null' },
          { type: 'number', enum: [1] },
          { type: 'boolean' },
        ],
      },
    ],
    ['definitions of draft-07', { $ref: '#/definitions/a', definitions: { a: text } }, ref({ a: text }, 'a')],
    [
      'a reference to a missing definition',
      { type: 'array', items: { $ref: '#/x y' }, 'x y': text },
      { type: 'array', ...ref({ part_1: text }, 'part_1', 'items') },
    ],
    [
      'keywords next to a reference in a description',
      { $ref: '#/$defs/a', minLength: 3, description: 'Long.', $defs: { a: text } },
      {
        anyOf: [{ $ref: '#/$defs/a' }],
        description: 'Long.\nIn JSON Schema also: {"minLength":3}',
        $defs: { a: text },
      },
    ],
    ['anything for an invalid reference', { items: { $ref: '#anchor' } }, { items: {} }],
    [
      'anything for a schema that is true or false',
      { items: true, properties: { a: false } },
      { properties: { a: {} } },
    ],
    [
      'parts that hold together as one',
      {
        allOf: [
          { $ref: '#/$defs/named' },
          { properties: { age: { type: 'integer' } }, required: ['age'], additionalProperties: false },
        ],
        type: 'object',
        $defs: { named: { type: 'object', properties: { name: text }, required: ['name'] } },
      },
      {
        type: 'object',
        properties: { name: text, age: { type: 'integer' } },
        required: ['name', 'age'],
      },
    ],
    [
      'an open object where patterns name properties',
      { type: 'object', patternProperties: { '^x': text }, additionalProperties: false },
      { type: 'object' },
    ],
    [
      'only what it knows as required',
      { properties: { a: text }, required: ['a', 'b'] },
      { properties: { a: text }, required: ['a'] },
    ],
    [
      'what it does not know, in the description',
      { type: 'string', pattern: '^a', format: 'email', not: { const: 'a' }, default: 'a', $comment: 'x' },
      { type: 'string', description: 'In JSON Schema also: {"format":"email","pattern":"^a"}' },
    ],
    ['nothing of a description of megabytes', { type: 'string', pattern: 'a'.repeat(600) }, { type: 'string' }],
  ])('has %s', (_, schema, relaxed) => {
    expect(toGeminiSchema(schema)).toEqual(relaxed);
    expect(findSchemaRefusal(relaxed)).toBeNull();
  });

  it('refers to itself from optional properties, and allows anything in required ones', () => {
    const node = (required: readonly string[]) => ({
      type: 'object',
      properties: { next: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } },
      required,
    });
    const self = { $ref: '#/$defs/root' };
    expect(toGeminiSchema(node([]))).toMatchObject({
      properties: { next: self, list: { items: self } },
      $defs: { root: { properties: { next: self, list: { items: self } } } },
    });
    const needed = toGeminiSchema(node(['next', 'list']));
    expect(needed).toMatchObject({ $defs: { root: { properties: { next: {}, list: { type: 'array', items: {} } } } } });
    expect(findSchemaRefusal(needed)).toBeNull();
  });

  it('does not follow pointers in a part with its own id', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { type: 'string' }, b: { $id: 'b' } } };
    expect(toGeminiSchema(schema)).toEqual({});
  });

  it.each<[string, JsonObject]>([
    ['parts that contain themselves', { allOf: [{ $ref: '#' }], properties: { a: { allOf: [{ $ref: '#' }] } } }],
    ['parts that double at each step', doubling(24, (next) => ({ allOf: [next, next] }))],
    [
      'properties that double at each step',
      doubling(24, (next) => ({ properties: { a: { allOf: [next] }, b: { allOf: [next] } } })),
    ],
    ['many parts in many places', manyParts()],
    ['more levels than any model takes', nested(60)],
  ])('is bounded for %s', (_, schema) => {
    const relaxed = toGeminiSchema(schema);
    expect(JSON.stringify(relaxed).length).toBeLessThan(500_000);
    expect(findSchemaRefusal(relaxed)).toBeNull();
  });
});

/** A schema that is a reference to a definition, or has one. */
function ref(definitions: JsonObject, name: string, keyword?: string): JsonObject {
  const reference = { $ref: `#/$defs/${name}` };
  return { ...(keyword === undefined ? reference : { [keyword]: reference }), $defs: definitions };
}

function doubling(steps: number, make: (next: JsonObject) => JsonObject): JsonObject {
  const definitions = Array.from({ length: steps }, (_, step) => [`d${step}`, make({ $ref: `#/$defs/d${step + 1}` })]);
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(definitions), [`d${steps}`]: text } };
}

function manyParts(): JsonObject {
  const names = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { allOf: [{ $ref: '#/$defs/all' }] }]));
  const parts = names.map((name) => ({ properties: { [name]: text } }));
  return { properties, $defs: { all: { allOf: parts } } };
}

function nested(levels: number): JsonObject {
  return levels === 0 ? text : { type: 'array', items: nested(levels - 1) };
}

/** Few names and few values, so that many values fit a schema. */
const names = fc.constantFrom('a', 'b', 'c');
const scalars = fc.constantFrom<unknown>(null, true, 0, 1, 2.5, '', 'a', 'abc', '2026-11-22');

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalars,
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

const { schema: schemas } = fc.letrec<{ schema: Schema | boolean; object: Schema }>((tie) => {
  const schema = tie('schema');
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(names, schema, { maxKeys: 3, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<Schema | boolean>(true, false, text, { minimum: 1 }),
      tie('object'),
    ),
    object: fc.record(
      {
        type: fc.constantFrom<unknown>('object', 'array', 'string', 'number', 'integer', ['string', 'null'], 'boolean'),
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        const: scalars,
        format: fc.constantFrom('date', 'email', 'date-time'),
        pattern: fc.constantFrom('^a', 'c$'),
        minLength: fc.nat(3),
        minimum: fc.integer({ min: -1, max: 2 }),
        exclusiveMaximum: fc.integer({ min: 0, max: 3 }),
        properties: map,
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: schema,
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), schema, { maxKeys: 2, noNullPrototype: true }),
        propertyNames: schema,
        maxProperties: fc.nat(3),
        prefixItems: list,
        items: schema,
        contains: schema,
        minItems: fc.nat(2),
        uniqueItems: fc.boolean(),
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: schema,
        if: schema,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: schema,
        $ref: fc.constantFrom('#/$defs/one', '#/$defs/other'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ) as fc.Arbitrary<Schema>,
  };
});

/** `one` may need `other`, which refers to nothing: a validator would not come to an end with a circle of references alone. */
const wholes = fc
  .record({ root: schemas, one: schemas, other: fc.constantFrom<Schema | boolean>(text, { minimum: 1 }, true) })
  .map(({ root, one, other }): Schema => {
    const withoutCircle = JSON.parse(JSON.stringify(one).replaceAll('#/$defs/one', '#/$defs/other'));
    const definitions = { one: withoutCircle, other };
    return typeof root === 'boolean' ? { not: {}, $defs: definitions } : { ...root, $defs: definitions };
  });

describe.each(['7', '2019-09', '2020-12'] as const)('of any schema of the dialect %s, the API', (dialect) => {
  it('gets a schema that accepts everything that the original accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(wholes, fc.array(value, { minLength: 5, maxLength: 10 }), (schema, values) => {
        const relaxed = toGeminiSchema(schema);
        expect(findSchemaRefusal(relaxed)).toBeNull();
        for (const one of values.filter((candidate) => accepts(schema, candidate, dialect))) {
          accepted += 1;
          expect(accepts(relaxed, one, dialect), JSON.stringify({ schema, relaxed, one })).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});

function accepts(schema: Schema, candidate: unknown, dialect: '7' | '2019-09' | '2020-12'): boolean {
  return validate(candidate, structuredClone(schema), dialect).valid;
}
