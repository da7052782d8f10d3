import { describe, expect, it } from 'vitest';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { BudgetedSampling } from './budgeted-sampling.ts';
import type { SamplingRequest } from './server-sampling.ts';

const { signal } = new AbortController();
const hourMs = 3_600_000;

function open({ maxQuestions = 2, maxTokens = 1_000, text = 'An answer.' } = {}) {
  const clock = new FakeClock();
  const asked: AskRequest[] = [];
  const log: string[] = [];
  const sampling = new BudgetedSampling({
    clock,
    maxQuestions,
    maxTokens,
    log: (line) => log.push(line),
    askGemini: {
      ask: async (request) => {
        asked.push(request);
        return { ok: true, answer: { text, model: 'pro', attempts: [], usage: [], context: null } };
      },
    },
  });
  const answer = (fields: Partial<SamplingRequest> = {}) =>
    sampling.answer(
      { server: 'notes', owner: 'ada', systemPrompt: null, turns: [{ role: 'user', text: 'Hi' }], ...fields },
      signal,
    );
  return { clock, asked, log, answer };
}

describe('a question of another server to Gemini', () => {
  it('is asked with its words alone, and told to the user by the name of the server', async () => {
    const { answer, asked, log } = open();
    const turns = [
      { role: 'user', text: 'One' },
      { role: 'user', text: 'Two' },
      { role: 'model', text: 'Three' },
      { role: 'user', text: 'Four' },
    ] as const;
    expect(await answer({ systemPrompt: 'Be short.', turns })).toEqual({
      type: 'answered',
      text: 'An answer.',
      model: 'pro',
    });
    expect(asked).toMatchObject([
      {
        owner: 'ada',
        prompt: 'Four',
        history: [
          { role: 'user', text: 'One\n\nTwo' },
          { role: 'model', text: 'Three' },
        ],
        files: [],
        settings: { systemPrompt: 'Be short.', tools: 'none' },
      },
    ]);
    expect(log).toEqual(['notes: asks Gemini, question 1 of 2 in an hour, about 6 tokens.']);
  });

  it('is refused when the questions of the hour are used up, for this server of this owner', async () => {
    const { answer, clock, asked, log } = open();
    await answer();
    await answer();
    expect(await answer()).toEqual({ type: 'refused', message: 'No more than 2 questions are answered in an hour.' });
    expect(log.at(-1)).toBe(
      'notes: a question to Gemini was refused. No more than 2 questions are answered in an hour.',
    );
    expect(await answer({ owner: 'bob' })).toMatchObject({ type: 'answered' });
    expect(await answer({ server: 'files' })).toMatchObject({ type: 'answered' });
    expect(asked).toHaveLength(4);
    await clock.advance(hourMs);
    expect(await answer()).toMatchObject({ type: 'answered' });
  });

  it('is refused when the tokens of the hour are used up, those of answers among them', async () => {
    const { answer, asked } = open({ maxQuestions: 100, text: 'x'.repeat(4_000) });
    expect(await answer()).toMatchObject({ type: 'answered' });
    expect(await answer()).toEqual({ type: 'refused', message: 'The tokens for questions in an hour are used up.' });
    expect(asked).toHaveLength(1);
    const long = [{ role: 'user', text: 'x'.repeat(5_000) }] as const;
    expect(await answer({ owner: 'bob', turns: long })).toMatchObject({ type: 'refused' });
  });

  it.each([
    ['no message', []],
    [
      'a last one of the model',
      [
        { role: 'user', text: 'a' },
        { role: 'model', text: 'b' },
      ],
    ],
    [
      'a first one of the model',
      [
        { role: 'model', text: 'a' },
        { role: 'user', text: 'b' },
      ],
    ],
  ] as const)('is refused with %s', async (_, turns) => {
    const { answer, asked } = open();
    expect(await answer({ turns })).toMatchObject({ type: 'refused' });
    expect(asked).toEqual([]);
  });
});
