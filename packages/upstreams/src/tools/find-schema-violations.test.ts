import { describe, expect, it } from 'vitest';
import { findSchemaViolations } from './find-schema-violations.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 2 },
    n: { enum: [1, 2] },
    tags: { type: 'array', items: { type: 'string', format: 'email' }, maxItems: 2 },
    deep: { $ref: '#/definitions/deep' },
  },
  required: ['path'],
  additionalProperties: false,
  definitions: { deep: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
  $schema: 'http://json-schema.org/draft-07/schema#',
};

describe('arguments of a call', () => {
  it.each<[string, object]>([['fit', { path: 'ab', n: 2, tags: ['a@b.de'], deep: { a: 1 } }]])(
    '%s',
    async (_, args) => {
      expect(await findSchemaViolations(schema, { ...args })).toEqual([]);
    },
  );

  it.each<[string, object, RegExp]>([
    ['lack one', {}, /"path"/],
    ['have another type', { path: 1 }, /^path: .*string/],
    ['are too short', { path: 'a' }, /^path: /],
    ['are not among the values', { path: 'ab', n: 3 }, /^n: /],
    ['are too many', { path: 'ab', tags: ['a@b.de', 'a@b.de', 'a@b.de'] }, /^tags: /],
    ['have no such format', { path: 'ab', tags: ['x'] }, /^tags\/0: /],
    ['lack one inside', { path: 'ab', deep: {} }, /^deep: .*"a"/],
    ['have one more', { path: 'ab', more: 1 }, /more/],
  ])('reports arguments that %s', async (_, args, problem) => {
    const problems = await findSchemaViolations(schema, { ...args });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).toMatch(problem);
  });

  it.each<[string, object]>([
    ['a schema that leads to the web', { $ref: 'http://127.0.0.1:9/schema.json' }],
    ['a schema that leads to a file', { $ref: 'file:///etc/passwd' }],
    ['an invalid expression', { properties: { path: { pattern: '(' } } }],
    ['an expression that explodes', { properties: { path: { pattern: '^(a+)+$' } } }],
    ['references in a circle', { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/a' } } }],
    ['10,000 levels', JSON.parse(`${'{"not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`)],
  ])('HUB-15: go to the server where its schema cannot be applied: %s', async (_, hostile) => {
    expect(await findSchemaViolations({ ...hostile }, { path: `${'a'.repeat(40)}!` })).toEqual([]);
  });

  it('reports excessive nesting, and at most five mistakes', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    expect(await findSchemaViolations(schema, deep)).toEqual(['The whole: it is nested more than 100 levels deep.']);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x${n}\u202e`, 1]));
    const problems = await findSchemaViolations(schema, { path: 'ab', ...many });
    expect(problems).toHaveLength(5);
    expect(problems.join('')).not.toContain('\u202e');
  });

  it('do not change the schema', async () => {
    const before = JSON.stringify(schema);
    await findSchemaViolations(schema, { path: 'ab' });
    expect(JSON.stringify(schema)).toBe(before);
  });
});
