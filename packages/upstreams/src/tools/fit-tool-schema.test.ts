import { readFileSync } from 'node:fs';
import { type Schema, validate } from '@cfworker/json-schema';
import { restoreNames, toGeminiSchema } from '@gemini-mcp/core/internal';
import { findFunctionRefusal } from '@gemini-mcp/port-contracts/offline-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitToolSchema } from './fit-tool-schema.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const recorded: {
  readonly tools: readonly { readonly server: string; readonly tool: string; readonly schema: unknown }[];
} = JSON.parse(readFileSync(new URL('./recorded/tool-schemas.json', import.meta.url), 'utf8'));

const text = { type: 'string' };
const none = { type: 'null' };

/** Any value, but a list inside a list. */
const scalars = ['string', 'number', 'boolean', 'object', 'null'].map((type) => ({ type }));
const anything = { anyOf: [...scalars, { type: 'array', items: { anyOf: scalars } }] };

function fitted(inputSchema: unknown): JsonObject {
  const fit = fitToolSchema(inputSchema);
  return fit.fits ? fit.schema : { reason: fit.reason };
}

/** What any Google API says against it, also when the runner on the API has had it in hand. */
function refusalOf(schema: JsonObject): string | null {
  const declared = [schema, toGeminiSchema(schema)].map((parametersJsonSchema) => ({
    name: 'a',
    description: '',
    parametersJsonSchema,
  }));
  return declared.map(findFunctionRefusal).find((refusal) => refusal !== null) ?? null;
}

describe('the arguments of a tool, as every Gemini API takes them,', () => {
  const argument = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

  it.each<[string, unknown, unknown]>([
    ['a type and null', { anyOf: [text, none], description: 'A.' }, { type: ['string', 'null'], description: 'A.' }],
    ['nullable of OpenAPI', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['nullable next to a reference', { $ref: '#/$defs/none', nullable: true }, { anyOf: [...anything.anyOf] }],
    [
      'three types',
      { type: ['string', 'number', 'null'], minimum: 1 },
      { anyOf: [text, { type: 'number', minimum: 1 }, none] },
    ],
    ['a type by another name', { type: 'int' }, { type: 'integer' }],
    ['a type of Google', { type: 'STRING' }, text],
    [
      'an unknown type',
      { type: 'file', description: 'A file.' },
      { anyOf: [{ type: 'string', description: 'A file.' }, ...anything.anyOf.slice(1)] },
    ],
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['numbers to choose from', { enum: [0, 1] }, { type: 'number', description: 'One of: [0,1]' }],
    ['an empty text to choose', { enum: ['', 'a'] }, { type: 'string', description: 'One of: ["","a"]' }],
    ['choices with null', { enum: ['a', null] }, { type: ['string', 'null'], enum: ['a'] }],
    [
      'choices of constants',
      { oneOf: [{ const: 'a' }, { const: 'b' }] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', enum: ['b'] },
        ],
      },
    ],
    [
      'a default',
      { type: 'integer', default: 5, description: 'How many.' },
      { type: 'integer', description: 'How many.\nDefault: 5' },
    ],
    [
      'a format',
      { type: 'string', format: 'uri' },
      { type: 'string', description: 'In JSON Schema also: {"format":"uri"}' },
    ],
    ['a date', { type: 'string', format: 'date' }, { type: 'string', description: 'Format: date' }],
    ['a date and time', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'a pattern',
      { type: 'string', pattern: '^(a+)+$' },
      { type: 'string', description: 'In JSON Schema also: {"pattern":"^(a+)+$"}' },
    ],
    ['a list without item types', { type: 'array' }, { type: 'array', items: anything }],
    [
      'a list by place, of draft 7',
      { items: [text, { type: 'number' }] },
      { type: 'array', items: { anyOf: [text, { type: 'number' }] } },
    ],
    [
      'a list by place, closed',
      { type: 'array', prefixItems: [text, text], items: false },
      { type: 'array', items: text },
    ],
    ['an object by patterns', { type: 'object', patternProperties: { '^x': text } }, { type: 'object' }],
    ['a map', { type: 'object', additionalProperties: text }, { type: 'object', additionalProperties: text }],
    ['an object without a type', { properties: { b: text } }, { type: 'object', properties: { b: text } }],
    [
      'no property that may have no value',
      { type: 'object', properties: { b: false }, required: ['b'] },
      { type: 'object' },
    ],
    ['a required property that is missing', { type: 'object', required: ['b'] }, { type: 'object' }],
    ['true', true, anything],
    ['nothing said', {}, anything],
    [
      'a bound that is boolean, of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', minimum: 1, description: 'In JSON Schema also: {"exclusiveMinimum":true}' },
    ],
    ['a reference to the web', { $ref: 'https://example.com/a.json' }, anything],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, anything],
    [
      'a choice in a choice',
      { anyOf: [{ oneOf: [text, { type: 'number' }] }, none] },
      { anyOf: [text, { type: 'number' }, none] },
    ],
    [
      'parts that hold together',
      { allOf: [{ type: 'object', properties: { b: text } }, { required: ['b'] }] },
      { type: 'object', properties: { b: text }, required: ['b'] },
    ],
    [
      'an object next to a choice of its needs',
      { type: 'object', properties: { b: text, c: text }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      { type: 'object', properties: { b: text, c: text } },
    ],
    ['hidden characters', { type: 'string', description: 'a\u202eb' }, { type: 'string', description: 'a\\u{202e}b' }],
  ])('have %s', (_, schema, expected) => {
    const fit = fitted(argument(schema));
    expect(fit).toEqual(argument(expected));
    expect(refusalOf(fit)).toBeNull();
  });

  it.each<[string, unknown, unknown]>([
    ['nothing, without a schema', undefined, { type: 'object' }],
    ['nothing, for a schema of anything', {}, { type: 'object' }],
    ['an object that a reference leads to', { $ref: '#/$defs/a', $defs: { a: argument(text) } }, argument(text)],
    [
      'all properties of a choice of objects',
      {
        oneOf: [
          { properties: { kind: { const: 'one' }, a: text }, required: ['kind', 'a'] },
          { properties: { kind: { const: 'other' }, b: text }, required: ['kind'] },
        ],
      },
      {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['one', 'other'] }, a: text, b: text },
        required: ['kind'],
      },
    ],
    [
      'an argument named as a keyword',
      { properties: { type: text, title: text, $ref: text, required: text } },
      { type: 'object', properties: { type: text, title: text, _ref_93123f6081eb: text, required: text } },
    ],
    [
      'itself, from an argument that may be missing',
      { type: 'object', properties: { a: text, next: { $ref: '#' } }, required: ['a'] },
      {
        type: 'object',
        properties: { a: text, next: { $ref: '#/$defs/root' } },
        required: ['a'],
        $defs: { root: { type: 'object', properties: { a: text, next: { $ref: '#/$defs/root' } }, required: ['a'] } },
      },
    ],
  ])('have %s', (_, schema, expected) => {
    const fit = fitted(schema);
    expect(fit).toEqual(expected);
    expect(refusalOf(fit)).toBeNull();
  });

  it('have plain names, which a call brings back', () => {
    const fit = fitToolSchema({
      properties: {
        'per page': text,
        $filter: { type: 'object', properties: { 'x-y': text } },
        ok: text,
        ['__proto__']: text,
      },
      required: ['per page'],
    });
    const names = fit.fits ? [...fit.originals.keys()] : [];
    expect(names).toEqual([
      expect.stringMatching(/^per_page_[0-9a-f]{12}$/),
      expect.stringMatching(/^_filter_[0-9a-f]{12}$/),
      expect.stringMatching(/^x_y_[0-9a-f]{12}$/),
    ]);
    const [page = '', filter = '', inner = ''] = names;
    const args = JSON.parse(`{"${page}":"1","${filter}":{"${inner}":[{"${inner}":2}]},"ok":"${page}","__proto__":"p"}`);
    expect(JSON.stringify(restoreNames(args, fit.fits ? fit.originals : new Map()))).toBe(
      `{"per page":"1","$filter":{"x-y":[{"x-y":2}]},"ok":"${page}","__proto__":"p"}`,
    );
    expect(fit).toMatchObject({ schema: { required: [page] } });
    expect(refusalOf(fit.fits ? fit.schema : {})).toBeNull();
  });

  it('HUB-14: keep forty definitions that each name the next one twice as references', () => {
    const names = Array.from({ length: 40 }, (_, level) => `d${level}`);
    const definitions = names.map((name, level): [string, unknown] => {
      const next = { $ref: `#/$defs/d${level + 1}` };
      return [name, level === 39 ? text : { type: 'object', properties: { l: next, r: next }, required: ['l', 'r'] }];
    });
    const fit = fitted({ ...argument({ $ref: '#/$defs/d0' }), $defs: Object.fromEntries(definitions) });
    expect(JSON.stringify(fit).length).toBeLessThan(40_000);
    expect(refusalOf(fit)).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['the schema of a text', { type: 'string' }, 'is not the schema of an object'],
    ['a choice without an object', { anyOf: [text, none] }, 'is not the schema of an object'],
    ['false', false, 'accepts no arguments at all'],
    ['a list', [], 'is not a JSON object'],
    ['10,000 levels', levels(10_000), 'is nested more than 60 levels deep'],
    ['1 MB', { properties: { a: { description: 'x'.repeat(1_000_000) } } }, 'is too large'],
    [
      '100,000 properties',
      { properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`p${n}`, text])) },
      'is too large',
    ],
    [
      '600 long descriptions',
      {
        properties: Object.fromEntries(
          Array.from({ length: 600 }, (_, n) => [`p${n}`, { ...text, description: 'x'.repeat(100) }]),
        ),
      },
      'has more than 40000 characters in the form that Gemini accepts',
    ],
  ])('HUB-14: reject %s: the tool is withheld', (_, schema, reason) => {
    expect(fitted(schema)).toEqual({ reason });
  });
});

function levels(count: number): unknown {
  return JSON.parse(`${'{"items":'.repeat(count)}{}${'}'.repeat(count)}`);
}

describe('of 1,000 schemas', () => {
  it(`those of ${recorded.tools.length} tools of real servers are all made fit`, () => {
    expect(recorded.tools.length).toBeGreaterThan(500);
    const problems = recorded.tools
      .map(({ server, tool, schema }) => ({ server, tool, fit: fitToolSchema(schema) }))
      .filter(({ fit }) => !fit.fits || refusalOf(fit.schema) !== null);
    expect(problems).toEqual([]);
  });

  it('HUB-14: any that was made up is made fit, or the tool is set aside with the reason', () => {
    fc.assert(
      fc.property(wild, (schema) => {
        const fit = fitToolSchema(schema);
        expect(fit.fits ? refusalOf(fit.schema) : null).toBeNull();
        expect(fit.fits || fit.reason.length > 5).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const keywords = [
  ...[
    'type',
    'enum',
    'const',
    'format',
    'title',
    'description',
    'default',
    'nullable',
    '$ref',
    '$defs',
    'definitions',
    '$id',
    '$anchor',
  ],
  ...[
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'items',
    'prefixItems',
    'additionalItems',
  ],
  ...[
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'if',
    'then',
    'else',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'maxItems',
    '$recursiveRef',
  ],
  ...['contains', 'dependentSchemas', 'unevaluatedProperties', '$schema', '__proto__', 'a b', '日本'],
];
const words = [
  'object',
  'array',
  'string',
  'int',
  'null',
  'number',
  '#',
  '#/$defs/a',
  '#/properties/a',
  '#/definitions/b',
  'a',
  'b',
  '',
  'http://x',
  'a b',
];

/** Keywords of JSON Schema with values that may fit them or not, at any depth. */
const { schema: wild } = fc.letrec<{ schema: unknown; object: unknown; map: unknown; value: unknown }>((tie) => ({
  schema: fc.oneof({ maxDepth: 6 }, fc.constantFrom<unknown>(true, false, text, {}), tie('object'), tie('value')),
  object: fc.dictionary(fc.constantFrom(...keywords), tie('value'), { maxKeys: 6, noNullPrototype: true }),
  map: fc.dictionary(fc.constantFrom('a', 'b', 'type', 'title', '$ref', 'a b'), tie('schema'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<unknown>(...words, null, 0, 1.5, true, false),
    tie('object'),
    tie('map'),
    fc.array(tie('schema'), { maxLength: 4 }),
    fc.array(fc.constantFrom(...words), { maxLength: 4 }),
  ),
}));

describe('arguments that a server would take', () => {
  it('fit what Gemini is shown, with the names put back', () => {
    let accepted = 0;
    fc.assert(
      fc.property(usual, fc.array(values, { minLength: 20, maxLength: 20 }), (schema, candidates) => {
        const fit = fitToolSchema(schema);
        expect(fit.fits).toBe(true);
        const shown: Schema = fit.fits ? structuredClone(fit.schema) : {};
        for (const candidate of candidates.filter((one) => accepts(structuredClone(schema), one))) {
          accepted += 1;
          expect(accepts(shown, candidate), JSON.stringify({ schema, shown, candidate })).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

function accepts(schema: Schema, candidate: unknown): boolean {
  return validate(candidate, schema, '7').valid;
}

const names = fc.constantFrom('a', 'b', 'c');
const scalarSchemas = fc.constantFrom<JsonObject>(
  text,
  { type: 'string', enum: ['x', ''] },
  { type: 'integer', minimum: 0 },
  { type: ['string', 'null'] },
  { type: ['number', 'boolean', 'null'] },
  { const: 1 },
  { enum: ['x', null, 2] },
  { $ref: '#/definitions/a' },
  {},
);

/** As servers write them: typed, and choices among whole parts. */
const usual = fc
  .letrec<{ part: JsonObject; object: JsonObject }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      scalarSchemas,
      tie('object'),
      fc.record({ type: fc.constant('array'), items: fc.oneof(scalarSchemas, tie('object')) }),
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf, title: 'T', description: 'D.' })),
    ),
    object: fc
      .record({
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('part'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(names, { maxLength: 1 }),
        additionalProperties: fc.constantFrom(true, false),
      })
      .map((object): JsonObject => object),
  }))
  .object.map((object): Schema => ({ ...object, definitions: { a: { type: 'object', properties: { b: text } } } }));

const { object: values } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', '', 'y', 0, 1, 2, -1, 1.5, true, null),
    tie('object'),
    fc.array(fc.oneof(fc.constantFrom<unknown>('x', 1, null), tie('object')), { maxLength: 2 }),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));
