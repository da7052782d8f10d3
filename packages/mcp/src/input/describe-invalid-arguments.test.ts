import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { publishedSchema } from '../handlers/loaded-surface.ts';
import { checkArguments } from './check-arguments.ts';
import { describeInvalidArguments } from './describe-invalid-arguments.ts';
import type { JsonObject, ToolInput } from './tool-input.ts';

const input = z.strictObject({
  name: z.string().min(2).max(5),
  paths: z.array(z.string().min(1)).min(1).max(3).default(['.']),
  count: z.int().min(1).max(2_000).optional(),
  word: z.string().regex(/^a/, { error: 'must begin with a' }).optional(),
  mode: z.enum(['x', 'full']).optional(),
  apiKey: z.string().regex(/^\w+$/, { error: 'must be a key' }).optional(),
  nested: z.strictObject({ list: z.array(z.boolean()) }).optional(),
  above: z.number().gt(0).lt(10).optional(),
});

const asJsonSchema = { jsonSchema: publishedSchema(input, 'input') as JsonObject };

async function describeErrors(args: unknown, accepting: ToolInput = input): Promise<readonly string[]> {
  const checked = await checkArguments(accepting, args);
  if (checked.isAccepted) {
    throw new Error('The arguments are valid');
  }
  return describeInvalidArguments('some_tool', { ...checked, args }).split('\n');
}

/** Where zod has words of our own, JSON Schema has a pattern. */
const ownWords: readonly (readonly [unknown, string])[] = [
  [{ name: 'abc', word: 'b\n' }, '- word: must begin with a (given: "b\\u{a}")'],
  [{ name: 'abc', apiKey: 'AIza secret' }, '- apiKey: must be a key'],
];

const inBoth: readonly (readonly [unknown, string])[] = [
  [{}, '- name: missing'],
  [{ name: 5 }, '- name: must be a string, not 5'],
  [{ name: null }, '- name: must be a string, not null'],
  [{ name: ['a'] }, '- name: must be a string, not an array'],
  [{ name: {} }, '- name: must be a string, not an object'],
  [{ name: '' }, '- name: at least 2 characters, not 0'],
  [{ name: 'x'.repeat(1_234) }, '- name: at most 5 characters, not 1234'],
  [{ name: 'abc', paths: [] }, '- paths: at least 1 item, not 0'],
  [{ name: 'abc', paths: ['a', ''] }, '- paths[1]: at least 1 character, not 0'],
  [{ name: 'abc', paths: 'a' }, '- paths: must be an array, not a string'],
  [{ name: 'abc', count: 0 }, '- count: at least 1, not 0'],
  [{ name: 'abc', count: 5_000 }, '- count: at most 2000, not 5000'],
  [{ name: 'abc', count: 1.5 }, '- count: must be an integer, not 1.5'],
  [{ name: 'abc', above: 0 }, '- above: more than 0, not 0'],
  [{ name: 'abc', above: 10 }, '- above: less than 10, not 10'],
  [{ name: 'abc', mode: 'zzz' }, '- mode: must be one of x, full'],
  [{ name: 'abc', mode: 'ful' }, '- mode: must be one of x, full. Did you mean full?'],
  [{ name: 'abc', nested: { list: [1] } }, '- nested.list[0]: must be a boolean, not 1'],
  [{ name: 'abc', nested: { list: [], 'x y': 1 } }, '- "x y": no such argument in nested'],
  [{ name: 'abc', 'other\u001b': 1 }, '- "other\\u{1b}": no such argument'],
  [{ name: 'abc', path: ['a'] }, '- "path": no such argument. Did you mean paths?'],
  [{ name: 'abc', toString: 1 }, '- "toString": no such argument'],
  [[], '- the arguments: must be an object, not an array'],
];

describe.each([
  ['zod', input, ownWords],
  [
    'JSON Schema',
    asJsonSchema,
    [
      [{ name: 'abc', word: 'b\n' }, '- word: must match the pattern "^a" (given: "b\\u{a}")'],
      [{ name: 'abc', apiKey: 'AIza secret' }, '- apiKey: must match the pattern "^\\w+$"'],
    ] as const,
  ],
])('describeInvalidArguments, of %s', (_kind, accepting, words) => {
  it('names the tool, the argument and the accepted values', async () => {
    expect(await describeErrors({}, accepting)).toEqual([
      'Invalid arguments for some_tool; nothing was done.',
      '- name: missing',
      'Accepted: name (required), paths, count, word, mode, apiKey, nested, above.',
    ]);
  });

  it.each([...inBoth, ...words])('says of %j: %s', async (args, expected) => {
    expect((await describeErrors(args, accepting))[1]).toBe(expected);
  });

  it('accepts valid arguments', async () => {
    const args = { name: 'abc', paths: ['a'], count: 2, word: 'a', mode: 'x', nested: { list: [true] } };
    expect(await checkArguments(accepting, args)).toMatchObject({ isAccepted: true, args });
  });

  it('stops after five problems and says how many there are', async () => {
    const args = { name: 1, count: 'x', word: 1, mode: 1, paths: 1, nested: 1, more: 1 };
    const lines = await describeErrors(args, accepting);
    expect(lines).toHaveLength(8);
    expect(lines.at(6)).toBe('- and 2 more');
  });

  it('stays short for a thousand unknown arguments', async () => {
    const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key${n}`, n]));
    const text = (await describeErrors({ name: 'abc', ...args }, accepting)).join('\n');
    expect(text).toMatch(/"key4" and \d{3} more: no such argument/);
    expect(text.length).toBeLessThan(500);
  });
});
