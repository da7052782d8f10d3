import { describe, expect, it } from 'vitest';
import type { AnswerForm } from './answer-form.ts';

import { readJsonAnswer } from './ask-for-json.ts';

const any: AnswerForm = { schema: {}, findProblem: () => null };

function jsonIn(text: string): string | null {
  const read = readJsonAnswer({ text }, any);
  return read.ok ? read.json : null;
}

describe('the JSON of an answer', () => {
  it.each([
    ['an object', '{"a": 1}', '{"a": 1}'],
    ['as it was written', '{"a" :\t1.0,\r\n"b": "\\u00e9é"}', '{"a" :\t1.0,\r\n"b": "\\u00e9é"}'],
    ['a list', ' [1, 2]\n', '[1, 2]'],
    ['a text', '"yes"', '"yes"'],
    ['null', 'null', 'null'],
    ['a code block', '```json\n{"a": 1}\n```', '{"a": 1}'],
    ['a code block without a name', '```\r\n[1]\r\n```\r\n', '[1]'],
    ['a code block with words around it', 'Here it is:\n\n```JSON\n{}\n```\nAnything else?', '{}'],
    ['code blocks in its texts', '```json\n{"code": "```js\\nx\\n```"}\n```', '{"code": "```js\\nx\\n```"}'],
  ])('is %s', (_, text, json) => {
    expect(jsonIn(text)).toBe(json);
  });

  it.each([
    ['words', 'Yes, it does.'],
    ['words around JSON', 'Here it is: {"a": 1}'],
    ['two code blocks', '```json\n{}\n```\nor\n```json\n[]\n```'],
    ['a code block without an end', '```json\n{"a": 1}'],
    ['half an object', '{"a": 1'],
    ['a comment', '{"a": 1} // one'],
  ])('is not %s', (_, text) => {
    expect(readJsonAnswer({ text }, any)).toEqual({
      ok: false,
      problem: 'The answer is not JSON.',
      isRepairable: true,
    });
  });

  it('is looked through in a time that grows with its length', () => {
    expect(jsonIn('```\n'.repeat(500_000))).toBeNull();
    expect(jsonIn(`${'`'.repeat(2_000_000)}\n{}`)).toBeNull();
  });
});

it('says what does not fit, in the words of the form', () => {
  const form: AnswerForm = { schema: {}, findProblem: (value) => (value === 1 ? null : 'It must be 1.') };
  expect(readJsonAnswer({ text: '1' }, form)).toEqual({ ok: true, json: '1', value: 1 });
  expect(readJsonAnswer({ text: '2' }, form)).toEqual({ ok: false, problem: 'It must be 1.', isRepairable: true });
});

it('takes no answer that was cut, even where what there is of it fits', () => {
  const read = readJsonAnswer({ text: '[1, 2]', ending: { type: 'output-limit' } }, any);
  expect(read).toEqual({ ok: false, problem: expect.stringContaining('is cut'), isRepairable: false });
  expect(readJsonAnswer({ text: '[1, 2]', ending: { type: 'unknown', reason: 'NEW' } }, any).ok).toBe(true);
});

it('takes no value that is too deep to be written as JSON again', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(readJsonAnswer({ text: nested(500) }, any).ok).toBe(true);
  for (const levels of [502, 10_000, 1_000_000]) {
    expect(readJsonAnswer({ text: nested(levels) }, any)).toMatchObject({
      problem: 'The answer is nested more than 500 levels deep.',
    });
  }
});
