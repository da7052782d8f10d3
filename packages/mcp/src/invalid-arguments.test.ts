import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeInvalidArguments } from './invalid-arguments.ts';

const input = z.strictObject({
  name: z.string().min(2).max(5),
  paths: z.array(z.string().min(1)).min(1).max(3).default(['.']),
  count: z.int().min(1).max(2_000).optional(),
  word: z.string().regex(/^a/, { error: 'must begin with a' }).optional(),
  mode: z.enum(['x', 'y']).optional(),
  apiKey: z.string().regex(/^\w+$/, { error: 'must be a key' }).optional(),
  nested: z.strictObject({ list: z.array(z.boolean()) }).optional(),
});

function describeErrors(args: unknown): string[] {
  const { error } = input.safeParse(args);
  if (error === undefined) {
    throw new Error('The arguments are valid');
  }
  return describeInvalidArguments('some_tool', input, args, error).split('\n');
}

function firstIssue(args: unknown): string | undefined {
  return describeErrors(args)[1];
}

describe('describeInvalidArguments', () => {
  it('names the tool, the argument and what is accepted', () => {
    expect(describeErrors({})).toEqual([
      'Invalid arguments for some_tool; nothing was done.',
      '- name: missing',
      'Accepted: name (required), paths, count, word, mode, apiKey, nested.',
    ]);
  });

  it.each([
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
    [{ name: 'abc', count: '5' }, '- count: must be a number, not a string'],
    [{ name: 'abc', word: 'b\n' }, '- word: must begin with a (given: "b\\u{a}")'],
    [{ name: 'abc', mode: 'z' }, '- mode: must be one of x, y'],
    [{ name: 'abc', apiKey: 'AIza secret' }, '- apiKey: must be a key'],
    [{ name: 'abc', nested: { list: [1] } }, '- nested.list[0]: must be a boolean, not 1'],
    [{ name: 'abc', 'other\u001b': 1 }, '- "other\\u{1b}": no such argument'],
    [[], '- the arguments: must be an object, not an array'],
  ])('says of %j: %s', (args, expected) => {
    expect(firstIssue(args)).toBe(expected);
  });

  it('stops after five issues and says how many there are', () => {
    const lines = describeErrors({ name: 1, count: 'x', word: 1, mode: 1, paths: 1, nested: 1, more: 1 });
    expect(lines).toHaveLength(8);
    expect(lines.at(6)).toBe('- and 2 more');
  });

  it('stays short for thousands of unknown arguments', () => {
    const args = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n]));
    const text = describeErrors({ name: 'abc', ...args }).join('\n');
    expect(text).toContain('"key4" and 9995 more: no such argument');
    expect(text.length).toBeLessThan(500);
  });
});
