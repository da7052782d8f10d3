import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createPrompts } from '../prompts/create-prompts.ts';
import { connect, refusalOf } from '../testing/connect-surface.ts';
import { failingPrompt } from '../testing/failing-prompt.ts';

const prompts = createPrompts({
  completePath: async (prefix) => [`${prefix}a`],
  models: ['gemini-pro'],
  toolNames: ['gemini_query', 'googleSearch'],
});

describe('prompts/list', () => {
  it('names the prompts in order, with their arguments', async () => {
    const { request } = await connect({ prompts });
    const { prompts: listed } = await request('prompts/list');
    expect(listed).toHaveLength(5);
    expect(listed).toContainEqual({
      name: 'web-research',
      title: 'Web research with Gemini',
      description: expect.any(String),
      arguments: [{ name: 'question', description: 'What you want to know', required: true }],
    });
    expect((await refusalOf(request('prompts/list', { cursor: 'x' }))).code).toBe(-32602);
  });
});

describe('prompts/get', () => {
  it('returns the text, whatever blanks a client sends for skipped arguments', async () => {
    const { client } = await connect({ prompts });
    const { messages } = await client.getPrompt({ name: 'review', arguments: { target: 'src/', model: ' ' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('directories: ["src/"].') } },
    ]);
  });

  it.each([
    ['no name', {}, /name must be a string/],
    ['a number for a name', { name: 5 }, /name must be a string/],
    ['an unknown name', { name: 'toString' }, /Unknown prompt\. The prompts are: explain-architecture, /],
    ['a long name', { name: 'x'.repeat(1_000_000) }, /has 1000000 characters; at most 128/],
    ['no question', { name: 'web-research' }, /question: missing/],
    ['a blank question', { name: 'web-research', arguments: { question: '\n ' } }, /question: missing/],
    ['null for arguments', { name: 'web-research', arguments: null }, /the arguments: must be an object, not null/],
    ['a list of arguments', { name: 'web-research', arguments: ['x'] }, /the arguments: must be an object/],
    ['a number', { name: 'web-research', arguments: { question: 5 } }, /question: must be a string, not 5/],
    [
      'an unknown argument',
      { name: 'review', arguments: { ['\u001b[2J']: 'x' } },
      /no such argument[\s\S]*Accepted: target, model/,
    ],
    ['__proto__', { name: 'review', arguments: JSON.parse('{"__proto__":"x"}') }, /no such argument/],
    ['constructor', { name: 'review', arguments: { constructor: 'x' } }, /no such argument/],
    [
      'a huge text',
      { name: 'web-research', arguments: { question: 'x'.repeat(1_000_000) } },
      /at most 20000 characters, not 1000000/,
    ],
    ['NUL', { name: 'web-research', arguments: { question: 'a\u0000' } }, /must not contain NUL/],
    ['half a character', { name: 'web-research', arguments: { question: '\ud800' } }, /surrogate/],
    [
      'many arguments',
      { name: 'review', arguments: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`a${n}`, 'x'])) },
      /and 49995 more/,
    ],
  ])('refuses %s', async (_, params, expected) => {
    const { request, log } = await connect({ prompts });
    const { code, message } = await refusalOf(request('prompts/get', params));
    expect(code).toBe(-32602);
    expect(message).toMatch(expected);
    expect(log).toEqual([]);
  });

  it('conceals a fault', async () => {
    const { request, log } = await connect({ prompts: [failingPrompt()] });
    const { code, message } = await refusalOf(request('prompts/get', { name: 'broken' }));
    expect(code).toBe(-32603);
    expect(message).not.toContain(homedir());
    expect(log).toEqual([expect.objectContaining({ event: 'prompt-threw', subject: 'broken' })]);
    expect(message).toContain(log[0]?.correlationId);
  });
});
