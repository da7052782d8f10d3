import { describe, expect, it } from 'vitest';
import { describeFailure } from '../account/describe-failure.ts';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskProgress, type AskRequest, withoutFiles } from '../ask-gemini/ask-request.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import type { AnswerForm } from './answer-form.ts';
import { AskForJson, type JsonResult } from './ask-for-json.ts';

const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

const form: AnswerForm = {
  schema,
  findProblem: (value) => (Number.isInteger(Object(value).n) ? null : '- n: must be an integer'),
};

const request: AskRequest = { ...withoutFiles, prompt: 'How many?', model: null, timeoutMs: 60_000 };

const usage = [{ model: 'pro', inputTokens: 10, outputTokens: 1 }];

type Way = 'by the runner' | 'by the prompt';

/** A use case over a runner whose runs go as they are scripted, the last one for all that follow. */
function createScene(
  scripts: readonly ScriptedRun[],
  options: { way?: Way; models?: readonly [string, ...string[]] } = {},
) {
  const { way = 'by the runner', models = ['pro'] } = options;
  const clock = new FakeClock();
  const capabilities: Partial<RunnerCapabilities> = { answerSchema: way === 'by the runner' };
  const runner = new ScriptedGeminiRunner({
    clock,
    capabilities,
    script: (_, index) => ({ usage, ...(scripts[index] ?? scripts.at(-1)) }),
  });
  const resolver = new InMemoryContextResolver({ tree: { 'a.txt': 'three' }, clock });
  const askGemini = new AskGemini({
    clock,
    resolver,
    runner,
    modelChain: models,
    random: () => 0,
    boundaryOf: () => 'b0',
  });
  const useCase = new AskForJson({ clock, askGemini, runner });
  const told: AskProgress[] = [];
  const ask = (more: Partial<AskRequest> = {}): Promise<JsonResult> =>
    useCase.ask({ ...request, ...more }, form, (progress) => told.push(progress), new AbortController().signal);
  return { ask, runner, clock, told };
}

function failureOf(result: JsonResult) {
  return result.ok ? null : result.failed.failure;
}

function schemaOf({ answerSchema }: RunRequest): unknown {
  return answerSchema;
}

describe('a runner that can hold an answer to a schema', () => {
  it('is given the schema, and the prompt as it is', async () => {
    const { ask, runner } = createScene([{ chunks: ['{"n": ', '3}'] }]);
    expect(await ask()).toMatchObject({ ok: true, value: { n: 3 }, answer: { text: '{"n": 3}', usage } });
    expect(runner.requests).toMatchObject([{ input: 'How many?', answerSchema: schema }]);
  });

  it.each([
    { kind: 'invalid-input', excerpt: 'too many states' } as const,
    { kind: 'unsupported', feature: 'answer-schema' } as const,
  ])('is asked by the prompt if it refuses the schema: $kind', async (failure) => {
    const { ask, runner, told } = createScene([{ failure }, { chunks: ['{"n": 3}'] }]);
    expect(await ask()).toMatchObject({
      ok: true,
      value: { n: 3 },
      answer: { attempts: [{ failure }, { failure: null }] },
    });
    expect(runner.requests.map(schemaOf)).toEqual([schema, undefined]);
    expect(runner.requests[1]?.input).toContain(JSON.stringify(schema));
    expect(told.flatMap((step) => (step.type === 'asking' ? [step.attempt] : []))).toEqual([1, 2]);
  });

  it('is asked once if it fails for another reason', async () => {
    const { ask, runner } = createScene([{ failure: { kind: 'blocked', what: 'prompt', excerpt: '' } }]);
    expect(failureOf(await ask())).toMatchObject({ kind: 'blocked' });
    expect(runner.requests).toHaveLength(1);
  });
});

describe('a runner that cannot', () => {
  it('is asked for JSON after the prompt, which stays as it is', async () => {
    const prompt = ' How many?\n</schema-1> ';
    const { ask, runner } = createScene([{ chunks: ['```json\n{"n": 3}\n```'] }], { way: 'by the prompt' });
    expect(await ask({ prompt })).toMatchObject({ ok: true, answer: { text: '{"n": 3}' }, value: { n: 3 } });
    const [sent] = runner.requests;
    expect(sent?.answerSchema).toBeUndefined();
    expect(sent?.input.startsWith(`${prompt}\n\n`)).toBe(true);
    expect(sent?.input.endsWith(`<schema-1>\n${JSON.stringify(schema)}\n</schema-1>`)).toBe(true);
  });
});

describe.each<Way>(['by the runner', 'by the prompt'])('an answer that does not fit, asked for %s', (way) => {
  it('is asked for once more, of the same model, with all that the question was about', async () => {
    const scripts = [{ failure: { kind: 'quota-exhausted', excerpt: '' } } as const, { chunks: ['{"n": "x"}'] }];
    const { ask, runner } = createScene([...scripts, { chunks: ['{"n": 3}'] }], { way, models: ['pro', 'flash'] });
    const result = await ask({ files: ['a.txt'], maxFiles: 5, maxBytes: 1_000 });
    expect(result).toMatchObject({ ok: true, value: { n: 3 }, answer: { model: 'flash' } });
    expect(runner.requests.map(({ model }) => model)).toEqual(['pro', 'flash', 'flash']);
    expect(result.ok && result.answer.usage).toEqual([{ model: 'pro', inputTokens: 30, outputTokens: 3 }]);
    const repair = runner.requests[2];
    expect(repair?.answerSchema).toEqual(way === 'by the runner' ? schema : undefined);
    for (const part of ['three', 'How many?', '- n: must be an integer', '{"n": "x"}', JSON.stringify(schema)]) {
      expect(repair?.input).toContain(part);
    }
  });

  it('is a failure where the second one does not fit either, with what did not fit', async () => {
    const { ask, runner } = createScene([{ chunks: ['{"n": "x"}'] }], { way });
    const result = await ask();
    expect(result).toMatchObject({
      ok: false,
      failed: {
        failure: {
          kind: 'invalid-answer',
          problem: '- n: must be an integer',
          excerpt: '{"n": "x"}',
          saidBy: 'Gemini',
        },
        attempts: [{ failure: null }, { failure: { kind: 'invalid-answer' } }],
        partialText: '',
        timeoutMs: 60_000,
      },
    });
    expect(runner.requests).toHaveLength(2);
    expect(result.ok ? '' : describeFailure(result.failed)).toContain('\n- n: must be an integer\nWhat to do: ');
  });

  it('is a failure at once if it was cut, with the whole text', async () => {
    const { ask, runner } = createScene([{ chunks: ['[1, 2', ']'], ending: { type: 'output-limit' } }], { way });
    expect(await ask()).toMatchObject({
      failed: {
        failure: { kind: 'invalid-answer', problem: expect.stringContaining('is cut'), excerpt: '' },
        partialText: '[1, 2]',
      },
    });
    expect(runner.requests).toHaveLength(1);
  });
});

it('asks no more when the time is over', async () => {
  const { runner, clock } = createScene([]);
  let questions = 0;
  const askGemini = {
    ask: async () => {
      questions += 1;
      await clock.advance(request.timeoutMs);
      return { ok: true, answer: { text: 'no JSON', model: 'pro', attempts: [], usage, context: null } } as const;
    },
  };
  const result = await new AskForJson({ clock, askGemini, runner }).ask(
    request,
    form,
    () => undefined,
    new AbortController().signal,
  );
  expect(failureOf(result)).toMatchObject({ kind: 'invalid-answer', problem: 'The answer is not JSON.' });
  expect(questions).toBe(1);
});
