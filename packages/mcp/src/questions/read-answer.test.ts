import { describe, expect, it } from 'vitest';
import { readAnswer } from './call-questions.ts';
import type { Question, QuestionField } from './question.ts';

const fields: readonly QuestionField[] = [
  { name: 'title', label: 'Title', type: 'text', maxCharacters: 10 },
  { name: 'count', label: 'How many', type: 'number', min: 1, max: 5, isInteger: true },
  { name: 'sure', label: 'Sure?', type: 'yes-no' },
  {
    name: 'where',
    label: 'Where',
    type: 'choice',
    choices: [{ name: 'constructor', label: 'C' }],
    isOptional: true,
  },
];
const question: Question = { handle: 'form', message: 'Fill in', fields };
const right = { title: 'A title', count: 3, sure: false };

describe('ASK-01: an answer to a form', () => {
  it.each([
    [right, right],
    [
      { ...right, where: 'constructor', more: 1 },
      { ...right, where: 'constructor' },
    ],
    [
      { ...right, title: 'a\u001bb\ud800' },
      { ...right, title: 'a\\u{1b}b\\u{d800}' },
    ],
  ])('counts with the requested fields and nothing else: %j', (content, values) => {
    expect(readAnswer(question, fields, { action: 'accept', content })).toEqual({ type: 'answered', values });
  });

  it.each([
    {},
    null,
    [],
    'yes',
    { ...right, title: undefined },
    { ...right, title: 'x'.repeat(11) },
    { ...right, title: ['A title'] },
    { ...right, count: 0 },
    { ...right, count: 6 },
    { ...right, count: 2.5 },
    { ...right, count: '3' },
    { ...right, count: Number.NaN },
    { ...right, sure: 'true' },
    { ...right, where: 'toString' },
    { ...right, where: null },
    Object.create(right),
  ])('does not count with %j', (content) => {
    expect(readAnswer(question, fields, { action: 'accept', content })).toEqual({
      type: 'unanswered',
      reason: 'invalid-answer',
    });
  });

  it.each([null, undefined, 5, 'accept', [], { action: ['accept'] }])('is not an answer: %j', (answer) => {
    expect(readAnswer(question, fields, answer)).toEqual({ type: 'unanswered', reason: 'invalid-answer' });
  });
});
