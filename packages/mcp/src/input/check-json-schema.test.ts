import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments, findSchemaProblem } from './check-arguments.ts';
import { describeInvalidArguments } from './describe-invalid-arguments.ts';
import type { JsonObject } from './tool-input.ts';

const type = 'object';

async function problemsOf(schema: JsonObject, args: unknown): Promise<readonly string[]> {
  const checked = await checkArguments({ jsonSchema: { type, ...schema } }, args);
  if (checked.isAccepted) {
    return [];
  }
  const lines = describeInvalidArguments('some_tool', { ...checked, args }).split('\n');
  return lines.slice(1, -1).map((line) => line.replace(/^- /, ''));
}

const property = (schema: unknown): JsonObject => ({ properties: { x: schema } });
const draft07 = 'http://json-schema.org/draft-07/schema#';
const nullable = { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] };

describe('JSON Schema says of', () => {
  it.each([
    ['a type of several', property({ type: ['string', 'null'] }), { x: 1 }, 'x: must be a string or null, not 1'],
    ['a constant', property({ const: 'on' }), { x: 'off' }, 'x: must be one of on'],
    [
      'values of any kind',
      property({ enum: [1, 'a', null, { b: 1 }] }),
      { x: 2 },
      'x: must be one of 1, a, null, "{\'b\':1}"',
    ],
    ['a multiple', property({ multipleOf: 5 }), { x: 7 }, 'x: must be a multiple of 5'],
    ['items that are equal', property({ uniqueItems: true }), { x: [1, 1] }, 'x: must not contain an item twice'],
    ['a format', property({ format: 'email' }), { x: 'no' }, 'x: must have the format "email" (given: "no")'],
    ['few members', property({ minProperties: 1 }), { x: {} }, 'x: at least 1 argument, not 0'],
    ['a name that brings another', { dependentRequired: { a: ['b'] } }, { a: 1 }, 'b: missing'],
    ['the same in draft-07', { $schema: draft07, dependencies: { a: ['b'] } }, { a: 1 }, 'b: missing'],
    ['a form among several that was meant', property(nullable), { x: 'long' }, 'x: at most 3 characters, not 4'],
    ['a value of no allowed type', property(nullable), { x: 5 }, 'x: must be a string or null, not 5'],
    [
      'forms of one type',
      property({
        oneOf: [
          { type, required: ['a'] },
          { type, required: ['b'] },
        ],
      }),
      { x: {} },
      'x: must match exactly one of the forms that the schema lists',
    ],
    [
      'a form that is forbidden',
      property({ not: { type: 'string' } }),
      { x: 'y' },
      'x: must not match the form that the schema forbids (given: "y")',
    ],
    [
      'an item that is missing',
      property({ contains: { const: 1 } }),
      { x: [2] },
      'x: must contain an item of the form that the schema requires',
    ],
    ['a member beyond the known', { ...property({}), unevaluatedProperties: false }, { y: 1 }, '"y": no such argument'],
    [
      'a known one that is wrong',
      { ...property({ type: 'string' }), unevaluatedProperties: false },
      { x: 1 },
      'x: must be a string, not 1',
    ],
    [
      'a place after a reference',
      { ...property({ $ref: '#/$defs/a~1b' }), $defs: { 'a/b': { maximum: 1 } } },
      { x: 2 },
      'x: at most 1, not 2',
    ],
    [
      'a place whose name is a pointer',
      { properties: { 'a/b~%': { type: 'string' } } },
      { 'a/b~%': 1 },
      '"a/b~%": must be a string, not 1',
    ],
    ['an item without a schema', property({ prefixItems: [{}], items: false }), { x: [1, 2] }, 'x[1]: not accepted'],
    ['every condition', JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }, 'b: missing'],
  ])('%s', async (_what, schema, args, expected) => {
    expect(await problemsOf(schema, args)).toEqual([expected]);
  });

  it('a recursive value, however deep it is', async () => {
    const schema = { properties: { next: { $ref: '#' }, n: { type: 'integer' } } };
    expect(await problemsOf(schema, { next: { next: { n: 'x' } } })).toEqual([
      'next.next.n: must be an integer, not a string',
    ]);
    expect(await problemsOf(schema, { next: { next: { n: 1 } } })).toEqual([]);
  });

  it('a name of the prototype no more than of any other', async () => {
    expect(await problemsOf({ required: ['constructor'] }, {})).toEqual(['constructor: missing']);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}');
    expect(await problemsOf(schema, JSON.parse('{"__proto__":1}'))).toEqual(['__proto__: must be a string, not 1']);
  });

  it('siblings of a reference by the dialect', async () => {
    const schema = { ...property({ $ref: '#/definitions/n', minimum: 5 }), definitions: { n: { type: 'number' } } };
    expect(await problemsOf(schema, { x: 1 })).toEqual(['x: at least 5, not 1']);
    expect(await problemsOf({ $schema: draft07, ...schema }, { x: 1 })).toEqual([]);
  });
});

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const deep = (levels: number): JsonObject => JSON.parse(`${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`);

describe('JSON Schema from a stranger is rejected if it', () => {
  it.each<[string, JsonObject, string]>([
    ['is not an object', { type: 'string' }, 'lacks "type": "object"'],
    ['holds itself', { type, ...cycle }, 'is not JSON'],
    ['is deeper than the stack', { type, properties: { x: deep(10_000) } }, 'is not JSON'],
    ['is huge', { type, description: 'x'.repeat(1_000_000) }, 'is longer than 100000 characters'],
    ['is deep', { type, properties: { x: deep(100) } }, 'is nested more than 64 levels deep'],
    [
      'refers to the web',
      { type, ...property({ $ref: 'https://x.example/s' }) },
      'refers to "https://x.example/s", which is not in it',
    ],
    [
      'refers to a file',
      { type, ...property({ $ref: 'file:///etc/passwd' }) },
      'refers to "file:///etc/passwd", which is not in it',
    ],
    [
      'refers to nothing',
      { type, ...property({ $ref: '#/$defs/none' }) },
      'refers to "#/$defs/none", which is not in it',
    ],
    ['refers to itself without end', { type, $ref: '#' }, 'refers to itself without end'],
    ['has an unknown type', { type, ...property({ type: 'int' }) }, 'has a "type" in a form'],
    ['requires a text', { type, required: 'x' }, 'has a "required" in a form'],
    ['lists no values', { type, ...property({ enum: 'x' }) }, 'has a "enum" in a form'],
    ['has an invalid pattern', { type, ...property({ pattern: '(' }) }, 'has a "pattern" in a form'],
    [
      'has names by an invalid pattern',
      { type, patternProperties: { '(': {} } },
      'has a "patternProperties" in a form',
    ],
    ['has an invalid id', { type, ...property({ $id: 'http://[' }) }, 'is not a JSON Schema'],
  ])('%s', async (_what, jsonSchema, problem) => {
    expect(await findSchemaProblem({ jsonSchema })).toContain(problem);
    await expect(checkArguments({ jsonSchema }, {})).rejects.toThrow('JSON Schema');
  });

  it('but may have anything in an example or a keyword of its own', async () => {
    const jsonSchema = { type, examples: [{ type: 'int' }], 'x-form': { type: 'textarea', $ref: 'https://x.example' } };
    expect(await findSchemaProblem({ jsonSchema })).toBeNull();
  });
});

const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `a${n}`,
    { allOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] },
  ]),
);
const notChecked = ['the arguments: too large or too deep to check against the schema in time'];

describe('an attack by JSON Schema is stopped', () => {
  it.each<[string, JsonObject, unknown]>([
    ['a pattern that backtracks without end', property({ pattern: '^(a+)+$' }), { x: `${'a'.repeat(60)}!` }],
    ['names by such a pattern', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(60)}!`]: 1 }],
    ['references that double', { properties: { x: { $ref: '#/$defs/a0' } }, $defs: { ...doubled, a40: {} } }, { x: 1 }],
    ['a reference that does not end', { properties: { x: { $ref: '#/properties/x' } } }, { x: 1 }],
  ])('%s', async (_what, schema, args) => {
    expect(await problemsOf(schema, args)).toEqual(notChecked);
  });

  it('arguments that are deeper than the stack', async () => {
    const schema = { properties: { next: { $ref: '#' } } };
    const args: unknown = JSON.parse(`${'{"next":'.repeat(100_000)}{}${'}'.repeat(100_000)}`);
    expect(await problemsOf(schema, args)).toEqual(notChecked);
  });

  it('whatever the schema and the arguments are, there is an answer', async () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      '$ref',
      'anyOf',
      'items',
      'pattern',
      '$id',
      'enum',
      'not',
    );
    const schemas = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(schemas, fc.jsonValue(), async (schema, args) => {
        const jsonSchema = { ...schema, type };
        if ((await findSchemaProblem({ jsonSchema })) === null) {
          expect(await checkArguments({ jsonSchema }, args)).toHaveProperty('isAccepted');
        }
      }),
    );
  });
});
