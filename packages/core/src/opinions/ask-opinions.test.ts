import { describe, expect, it } from 'vitest';
import { type AskEnd, AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskProgress, type AskRequest, withoutFiles } from '../ask-gemini/ask-request.ts';
import { AskForJson } from '../json-answer/ask-for-json.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { AskOpinions } from './ask-opinions.ts';

const request: AskRequest = {
  ...withoutFiles,
  owner: 'ada',
  origin: { tool: 'gemini_query', clientName: 'codex' },
  prompt: 'Is a lock needed?',
  model: null,
  timeoutMs: 120_000,
};

const spent: ScriptedRun = { failure: { kind: 'quota-exhausted', excerpt: '' } };
const hanging: ScriptedRun = { chunks: ['Well'], hangs: true };

const isComparison = ({ answerSchema }: RunRequest): boolean => answerSchema !== undefined;

/** Each answer says which model gave it; the comparison quotes the first two. */
function say(run: RunRequest, saidBefore: readonly string[]): ScriptedRun {
  if (!isComparison(run)) {
    return { chunks: [`I am ${run.model}, and I say no.`] };
  }
  const positions = saidBefore.map((model, index) => ({
    answer: index + 1,
    says: 'No.',
    quote: `I am ${model}, and I say no.`,
  }));
  return { chunks: [JSON.stringify({ points: [{ kind: 'agreement', statement: 'No.', rests_on: positions }] })] };
}

function createScene(script: (run: RunRequest) => ScriptedRun | null = () => null) {
  const clock = new FakeClock();
  const said: string[] = [];
  const runner = new ScriptedGeminiRunner({
    clock,
    script: (run) => {
      const scripted = script(run) ?? say(run, said);
      said.push(...(isComparison(run) || scripted.failure !== undefined ? [] : [run.model]));
      return scripted;
    },
  });
  const ends: AskEnd[] = [];
  const boundaryOf = () => 'b0';
  const askGemini = new AskGemini({
    ...{ clock, runner, boundaryOf },
    resolver: new InMemoryContextResolver({ tree: {}, clock }),
    modelChain: ['pro', 'flash', 'lite', 'old'],
    random: () => 0,
    onEnd: (end) => ends.push(end),
  });
  const askForJson = new AskForJson({ clock, askGemini, runner });
  const useCase = new AskOpinions({ clock, askGemini, askForJson, boundaryOf });
  const told: AskProgress[] = [];
  const ask = (count: number, more: Partial<AskRequest> = {}, signal = new AbortController().signal) =>
    useCase.ask({ ...request, ...more }, count, (progress) => told.push(progress), signal);
  const models = () => runner.requests.map(({ model }) => model);
  return { ask, clock, runner, models, told, ends };
}

describe('several opinions', () => {
  it('come from different models, which are sent the same question and nothing of each other', async () => {
    const { ask, runner, models } = createScene();
    const result = await ask(3);
    expect(models()).toEqual(['pro', 'flash', 'lite', 'pro']);
    expect(new Set(runner.requests.slice(0, 3).map(({ input }) => input))).toEqual(new Set(['Is a lock needed?']));
    expect(result).toMatchObject({
      ok: true,
      opinions: [
        { number: 1, ok: true, answer: { text: 'I am pro, and I say no.' } },
        { number: 2, ok: true, answer: { model: 'flash' } },
        { number: 3, ok: true, answer: { model: 'lite' } },
      ],
      compared: { ok: true, comparison: { points: [{ kind: 'agreement', positions: [{}, {}, {}] }] } },
    });
  });

  it('come from one model if the call names it', async () => {
    const { ask, models } = createScene();
    await ask(2, { model: 'flash' });
    expect(models()).toEqual(['flash', 'flash', 'flash']);
  });

  it('are compared by a question that holds the answers as data', async () => {
    const { ask, runner } = createScene();
    await ask(2);
    const { input = '' } = runner.requests.at(-1) ?? {};
    expect(input).toContain('<file path="question" boundary="b0">\nIs a lock needed?\n</file boundary="b0">');
    expect(input).toContain('<file path="answer 2" boundary="b0">\nI am flash, and I say no.\n</file boundary="b0">');
  });

  it('fall back to a model that no other opinion begins with', async () => {
    const { ask, models } = createScene(({ model }) => (model === 'pro' ? spent : null));
    expect(await ask(2)).toMatchObject({
      ok: true,
      opinions: [{ answer: { model: 'lite' } }, { answer: { model: 'flash' } }],
    });
    // The comparison knows that the best model has no quota.
    expect(models()).toEqual(['pro', 'flash', 'lite', 'flash']);
  });

  it('are calls of their own, for the usage ledger', async () => {
    const { ask, ends } = createScene();
    await ask(3);
    expect(ends.map(({ owner, origin }) => [owner, origin?.tool])).toEqual(Array(4).fill(['ada', 'gemini_query']));
  });

  it('report steps, and no text, which would arrive mixed', async () => {
    const { ask, told } = createScene();
    await ask(2);
    expect(told.flatMap((step) => (step.type === 'status' ? [step.text] : []))).toEqual([
      'Asking for 2 opinions',
      'Opinion 1 has arrived',
      'Opinion 2 has arrived',
      'Comparing 2 answers',
    ]);
    expect(told.filter(({ type }) => type === 'text')).toEqual([]);
  });
});

describe('an opinion that fails', () => {
  const refusing = (...models: readonly string[]) =>
    createScene(({ model }) =>
      models.includes(model) ? { failure: { kind: 'blocked', what: 'answer', excerpt: '' } } : null,
    );

  it('leaves the others and their comparison', async () => {
    expect(await refusing('flash').ask(3)).toMatchObject({
      ok: true,
      opinions: [{ ok: true }, { ok: false, failed: { failure: { kind: 'blocked' } } }, { ok: true }],
      compared: { ok: true },
    });
  });

  it('leaves nothing to compare if it leaves one', async () => {
    const { ask, runner } = refusing('flash', 'pro');
    expect(await ask(3)).toMatchObject({ ok: true, compared: { ok: false, failed: null } });
    expect(runner.requests).toHaveLength(3);
  });

  it('is the failure of the call if all fail', async () => {
    expect(await refusing('pro', 'flash').ask(2)).toMatchObject({
      ok: false,
      failed: { failure: { kind: 'blocked' }, attempts: [{ model: 'pro' }], timeoutMs: 120_000 },
    });
  });

  it('leaves time for the comparison if it takes too long', async () => {
    const { ask, clock } = createScene((run) => (run.model === 'flash' ? hanging : null));
    const asked = ask(3);
    await clock.advance(90_000);
    expect(await asked).toMatchObject({
      ok: true,
      opinions: [{ ok: true }, { failed: { failure: { kind: 'timeout' }, timeoutMs: 90_000 } }, { ok: true }],
      compared: { ok: true },
    });
  });
});

describe('a comparison that fails', () => {
  it.each<[string, ScriptedRun, string]>([
    ['is refused', { failure: { kind: 'blocked', what: 'answer', excerpt: '' } }, 'blocked'],
    ['is not in its form', { chunks: ['They agree.'] }, 'invalid-answer'],
  ])('leaves the answers whole if it %s', async (_, scripted, kind) => {
    const { ask } = createScene((run) => (isComparison(run) || run.input.includes('They agree.') ? scripted : null));
    expect(await ask(2)).toMatchObject({
      ok: true,
      opinions: [{ ok: true }, { ok: true }],
      compared: { ok: false, failed: { failure: { kind } } },
    });
  });

  it('leaves them whole if it is cancelled', async () => {
    const controller = new AbortController();
    const { ask, runner } = createScene((run) => {
      if (isComparison(run)) {
        controller.abort();
        return hanging;
      }
      return null;
    });
    expect(await ask(2, {}, controller.signal)).toMatchObject({
      ok: true,
      compared: { failed: { failure: { kind: 'cancelled' } } },
    });
    expect(runner.requests).toHaveLength(3);
  });
});

it('an abort ends all opinions', async () => {
  const controller = new AbortController();
  const { ask } = createScene(() => hanging);
  const asked = ask(3, {}, controller.signal);
  controller.abort();
  expect(await asked).toMatchObject({ ok: false, failed: { failure: { kind: 'cancelled' } } });
});
