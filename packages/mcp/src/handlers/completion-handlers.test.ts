import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Prompt } from '../surface/prompt.ts';
import { createCanaryShelves } from '../testing/canary-shelves.ts';
import { connect, refusalOf } from '../testing/connect-surface.ts';
import { failingPrompt } from '../testing/failing-prompt.ts';

describe('completion/complete', () => {
  const complete = (name: string, value: string): Record<string, unknown> => ({
    ref: { type: 'ref/prompt', name: 'pick' },
    argument: { name, value },
  });

  function promptPicking(suggest: (value: string) => Promise<readonly string[]>): Prompt {
    return {
      ...failingPrompt(),
      name: 'pick',
      arguments: [
        { name: 'word', description: 'A word', required: false, complete: suggest },
        { name: 'free', description: 'Anything', required: false },
      ],
    };
  }

  it('shows 100 of many and counts the others', async () => {
    const words = Array.from({ length: 250 }, (_, index) => `word${index}`);
    const { request } = await connect({ prompts: [promptPicking(async () => words)] });
    expect(await request('completion/complete', complete('word', 'w'))).toEqual({
      completion: { values: words.slice(0, 100), total: 250, hasMore: true },
    });
    expect(await request('completion/complete', complete('free', 'w'))).toEqual({
      completion: { values: [], total: 0, hasMore: false },
    });
  });

  it.each([
    ['nothing', {}, /name must be a string/],
    ['no value', { ...complete('word', ''), argument: { name: 'word' } }, /value must be a string/],
    ['a huge value', complete('word', 'x'.repeat(1_000_000)), /value has 1000000 characters/],
    [
      'an unknown argument',
      complete('toString', ''),
      /Unknown argument\. The arguments of the prompt pick are: word, free/,
    ],
    ['an unknown prompt', { ...complete('word', ''), ref: { type: 'ref/prompt', name: 'x' } }, /Unknown prompt/],
    ['an unknown kind', { ...complete('word', ''), ref: { type: 'ref/tool', name: 'pick' } }, /ref must have the type/],
    ['no reference', { ...complete('word', ''), ref: null }, /ref must have the type/],
    [
      'an unknown template',
      { ...complete('id', ''), ref: { type: 'ref/resource', uri: 'gemini://x' } },
      /The templates are: gemini:/,
    ],
    [
      'an unknown variable',
      { ...complete('toString', ''), ref: { type: 'ref/resource', uri: 'gemini://sessions/{id}' } },
      /Unknown variable/,
    ],
  ])('refuses %s', async (_, params, expected) => {
    const { providers } = await createCanaryShelves();
    const { request } = await connect({ prompts: [promptPicking(async () => [])], resources: providers });
    const { code, message } = await refusalOf(request('completion/complete', params));
    expect(code).toBe(-32602);
    expect(message).toMatch(expected);
  });

  it('lets 16 of a flood do work at once, and answers every one', async () => {
    let running = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const suggest = async (): Promise<readonly string[]> => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
      return ['word'];
    };
    const { client, request } = await connect({ prompts: [promptPicking(suggest)] });
    const answers = Array.from({ length: 5_000 }, () => request('completion/complete', complete('word', '')));
    await client.ping();
    open();
    const counts = { word: 0, none: 0 };
    for (const { completion } of await Promise.all(answers)) {
      const { values } = z.object({ values: z.array(z.string()) }).parse(completion);
      counts[values.length === 0 ? 'none' : 'word'] += 1;
    }
    expect({ most, running, ...counts }).toEqual({ most: 16, running: 0, word: 16, none: 4_984 });
    expect(await request('completion/complete', complete('word', ''))).toMatchObject({
      completion: { values: ['word'] },
    });
  });

  it('conceals a fault, and frees its place', async () => {
    const { request, log } = await connect({ prompts: [failingPrompt()] });
    const params = { ...complete('word', ''), ref: { type: 'ref/prompt', name: 'broken' } };
    for (let round = 0; round < 20; round += 1) {
      const { code, message } = await refusalOf(request('completion/complete', params));
      expect(code).toBe(-32603);
      expect(message).not.toContain(homedir());
    }
    expect(log.map(({ event }) => event)).toEqual(Array.from({ length: 20 }, () => 'completion-threw'));
  });

  it('that was cancelled is not logged', async () => {
    const prompt = promptPicking(async () => []);
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const hanging: Prompt = {
      ...prompt,
      arguments: [
        {
          name: 'word',
          description: 'A word',
          required: false,
          complete: (_value, context) =>
            new Promise((_, reject) => {
              context.signal.addEventListener('abort', () => reject(context.signal.reason));
              begin();
            }),
        },
      ],
    };
    const { client, log } = await connect({ prompts: [hanging] });
    const cancel = new AbortController();
    const params = { ref: { type: 'ref/prompt', name: 'pick' }, argument: { name: 'word', value: '' } } as const;
    const answer = client.complete(params, { signal: cancel.signal });
    await begun;
    cancel.abort();
    await expect(answer).rejects.toThrow();
    await client.ping();
    expect(log).toEqual([]);
  });
});
