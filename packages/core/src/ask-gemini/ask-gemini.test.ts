import { describe, expect, it } from 'vitest';
import { formatAccount } from '../account/format-account.ts';
import type { AskFailure, AskResult, Attempt } from '../answers/ask-result.ts';
import type { FailureKind, GeminiFailure } from '../failure/gemini-failure.ts';
import type { ContextResolver } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { AskGemini } from './ask-gemini.ts';
import type { AskProgress, AskRequest } from './ask-request.ts';

const startMs = 1_700_000_000_000;
const usage = [{ model: 'flash', inputTokens: 1_000, outputTokens: 20 }];
const answer: ScriptedRun = { chunks: ['Be', 'cause.'], usage };

/** The kinds of failure that hold an excerpt and nothing else. */
type PlainKind = {
  [Kind in FailureKind]: { kind: Kind; excerpt: string } extends Extract<GeminiFailure, { kind: Kind }> ? Kind : never;
}[FailureKind];

function fails(kind: PlainKind, excerpt = ''): ScriptedRun {
  return { failure: { kind, excerpt } };
}

const overloaded = fails('overloaded', 'The model is overloaded. Please try again later.');
const spent = fails('quota-exhausted');
const offline = fails('network');
const rejected: ScriptedRun = { failure: { kind: 'authentication', problem: 'rejected', excerpt: '' } };

function limited(retryAfterMs: number | null): ScriptedRun {
  return { failure: { kind: 'rate-limited', retryAfterMs, excerpt: '' } };
}

const plainRequest: AskRequest = {
  prompt: 'Why?',
  files: [],
  globPatterns: [],
  directories: [],
  model: null,
  timeoutMs: 60_000,
  maxFiles: 1_000,
  maxBytes: 1_000_000,
};

type Arrangement = {
  /** The run of each model, by name: the last one for all that follow. */
  readonly runs: Readonly<Record<string, readonly ScriptedRun[]>>;
  readonly tree?: Readonly<Record<string, string>>;
  /** Instead of one of the tree. */
  readonly resolver?: ContextResolver;
};

class Scene {
  readonly clock = new FakeClock(startMs);
  readonly progress: AskProgress[] = [];
  readonly attempts: Attempt[] = [];
  readonly cancellation = new AbortController();
  readonly runner: ScriptedGeminiRunner;
  readonly #askGemini: AskGemini;

  constructor({ runs, tree = {}, resolver }: Arrangement) {
    const { clock } = this;
    this.runner = new ScriptedGeminiRunner({
      clock,
      script: ({ model }) => {
        const ofModel = runs[model] ?? [];
        const index = this.models.filter((asked) => asked === model).length - 1;
        return ofModel[Math.min(index, ofModel.length - 1)] ?? fails('model-not-found', `model ${model} not found`);
      },
    });
    this.#askGemini = new AskGemini({
      clock,
      resolver: resolver ?? new InMemoryContextResolver({ tree, clock }),
      runner: this.runner,
      modelChain: ['pro', 'flash'],
      random: () => 0.5,
      boundaryOf: () => 'b0',
      onAttempt: (attempt) => this.attempts.push(attempt),
    });
  }

  /** The models that were asked, in order. */
  get models(): readonly string[] {
    return this.runner.requests.map(({ model }) => model);
  }

  start(known: Partial<AskRequest> = {}): Promise<AskResult> {
    return this.#askGemini.ask(
      { ...plainRequest, ...known },
      (event) => this.progress.push(event),
      this.cancellation.signal,
    );
  }

  async ask(known: Partial<AskRequest> = {}): Promise<AskResult> {
    return finish(this.clock, this.start(known));
  }

  async fail(known: Partial<AskRequest> = {}): Promise<AskFailure> {
    return failedOf(await this.ask(known));
  }
}

/** Lets time pass until a call has ended. */
async function finish<T>(clock: FakeClock, pending: Promise<T>): Promise<T> {
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  pending.then(end, end);
  for (let seconds = 0; seconds < 3_600 && !hasEnded; seconds += 1) {
    await clock.advance(1_000);
  }
  expect(hasEnded).toBe(true);
  return pending;
}

function failedOf(result: AskResult): AskFailure {
  if (result.ok) {
    throw new Error(`An unexpected answer: ${result.answer.text}`);
  }
  return result.failed;
}

describe('AskGemini', () => {
  it('answers with the text, the model, what it used, and an account of the attempt', async () => {
    const scene = new Scene({ runs: { pro: [answer] } });
    expect(await scene.ask()).toEqual({
      ok: true,
      answer: {
        text: 'Because.',
        model: 'pro',
        attempts: [{ model: 'pro', durationMs: 0, failure: null }],
        usage,
        context: null,
        ending: { type: 'complete' },
        modelVersion: 'pro',
      },
    });
  });

  it('sums what all attempts used, those among them that failed', async () => {
    const thought: ScriptedRun = {
      usage: [{ model: 'pro', inputTokens: 1_000, outputTokens: 0, thoughtTokens: 7 }],
      failure: { kind: 'empty-answer', excerpt: '' },
    };
    const cached = { model: 'pro', inputTokens: 1_000, outputTokens: 20, cachedTokens: 900 };
    const scene = new Scene({ runs: { pro: [thought, { ...answer, usage: [cached] }] } });
    expect(await scene.ask()).toMatchObject({
      ok: true,
      answer: { usage: [{ model: 'pro', inputTokens: 2_000, outputTokens: 20, thoughtTokens: 7, cachedTokens: 900 }] },
    });
  });

  it.each([
    ['to come', Date.UTC(2026, 10, 22), 'Google shuts gemini-2.5-pro down on 2026-12-01'],
    ['past', Date.UTC(2026, 11, 2), 'Google shut gemini-2.5-pro down on 2026-12-01'],
  ])('reports in the account that Google shuts the model down, %s (MODEL-02)', async (_, nowMs, words) => {
    const scene = new Scene({ runs: { 'gemini-2.5-pro': [answer] } });
    await scene.clock.advance(nowMs - startMs);
    const result = await scene.ask({ model: 'gemini-2.5-pro' });
    expect(result).toMatchObject({ ok: true, answer: { notices: [expect.stringContaining(words)] } });
  });

  it('tries the models of the runner that carries the request, where the operator has set none', async () => {
    const clock = new FakeClock(startMs);
    const script = ({ model }: { readonly model: string }): ScriptedRun => (model === 'new' ? spent : answer);
    const plain = new ScriptedGeminiRunner({ clock, script, capabilities: { name: 'plain', models: ['new', 'old'] } });
    const tools = { ...plain.capabilities, name: 'tools', models: ['other'] } as const;
    const runner: GeminiRunner = {
      capabilities: plain.capabilities,
      capabilitiesFor: ({ settings }) => (settings?.tools === 'everything' ? tools : plain.capabilities),
      run: (request, signal) => plain.run(request, signal),
    };
    const resolver = new InMemoryContextResolver({ tree: {}, clock });
    const askGemini = new AskGemini({
      clock,
      resolver,
      runner,
      modelChain: null,
      random: () => 0,
      boundaryOf: () => 'b',
    });
    const ask = async (settings = plainRunSettings): Promise<readonly string[]> => {
      const before = plain.requests.length;
      await askGemini.ask({ ...plainRequest, settings }, () => undefined, new AbortController().signal);
      return plain.requests.slice(before).map(({ model }) => model);
    };
    expect(await ask()).toEqual(['new', 'old']);
    expect(await ask({ ...plainRunSettings, tools: 'everything' })).toEqual(['other']);
  });

  it('gives every run the same message, and the deadline of the call', async () => {
    const scene = new Scene({ runs: { pro: [spent], flash: [answer] }, tree: { a: 'one' } });
    await scene.ask({ files: ['a'], timeoutMs: 5_000 });
    const input = expect.stringContaining('<file path="a" boundary="b0">\none\n');
    expect(scene.runner.requests).toEqual([
      { model: 'pro', input, deadlineAtMs: startMs + 5_000 },
      { model: 'flash', input, deadlineAtMs: startMs + 5_000 },
    ]);
  });

  it('gives every run the history, the media and the settings of the call', async () => {
    const media = [{ path: 'a.png', mediaType: 'image/png', bytes: Uint8Array.of(1) }];
    const history = [
      { role: 'user', text: 'One?' },
      { role: 'model', text: 'Two.' },
    ] as const;
    const settings = { ...plainRunSettings, systemPrompt: 'Be brief.' };
    const resolver = { resolve: async () => ({ documents: [], media, leftOut: [] }) };
    const scene = new Scene({ runs: { pro: [overloaded, spent], flash: [answer] }, resolver });
    await scene.ask({ files: ['a.png'], history, settings });
    expect(scene.models).toEqual(['pro', 'pro', 'flash']);
    for (const request of scene.runner.requests) {
      expect(request).toMatchObject({ history, media, settings });
    }
  });

  it('omits empty parts of a request', async () => {
    const scene = new Scene({ runs: { pro: [answer] } });
    await scene.ask({ history: [] });
    expect(scene.runner.requests).toEqual([{ model: 'pro', input: 'Why?', deadlineAtMs: startMs + 60_000 }]);
  });

  it('runs nothing where the conversation has outgrown the window', async () => {
    const scene = new Scene({ runs: { pro: [answer] } });
    const history = [{ role: 'user', text: 'x'.repeat(4_000_000) }] as const;
    expect(await scene.fail({ history })).toMatchObject({
      failure: { kind: 'context-too-large', refusal: { actual: 4_000_004, limit: 4_000_000 } },
      attempts: [],
    });
    expect(scene.models).toEqual([]);
  });

  it('reports each attempt as it ends', async () => {
    const scene = new Scene({ runs: { pro: [spent], flash: [answer] } });
    const result = await scene.ask();
    expect(scene.attempts).toEqual(result.ok && result.answer.attempts);
  });

  it('reports its progress', async () => {
    const half: ScriptedRun = { ...overloaded, chunks: ['Half'] };
    const scene = new Scene({ runs: { pro: [half, spent], flash: [answer] }, tree: { a: 'one' } });
    await scene.ask({ files: ['a'] });
    expect(scene.progress).toEqual([
      { type: 'reading-context' },
      { type: 'context-ready', files: 1, bytes: 3 },
      { type: 'asking', model: 'pro', attempt: 1 },
      { type: 'text', text: 'Half' },
      { type: 'waiting', model: 'pro', delayMs: 500, failure: expect.objectContaining({ kind: 'overloaded' }) },
      { type: 'asking', model: 'pro', attempt: 2 },
      {
        type: 'falling-back',
        from: 'pro',
        to: 'flash',
        failure: expect.objectContaining({ kind: 'quota-exhausted' }),
      },
      { type: 'asking', model: 'flash', attempt: 3 },
      { type: 'text', text: 'Be' },
      { type: 'text', text: 'cause.' },
    ]);
  });
});

describe('AskGemini retries and falls back (CLI-15)', () => {
  it.each<[string, ScriptedRun]>([
    ['a limit of requests', limited(null)],
    ['an overload', overloaded],
    ['an error on their side', { failure: { kind: 'server-error', httpStatus: 500, excerpt: '' } }],
    ['an empty answer', {}],
    ['no connection', offline],
    ['a crash', { failure: { kind: 'crashed', detail: '', excerpt: '' } }],
  ])('asks the same model again after %s', async (_, failure) => {
    const scene = new Scene({ runs: { pro: [failure, answer] } });
    const result = await scene.ask();
    expect(result.ok && result.answer.text).toBe('Because.');
    expect(scene.models).toEqual(['pro', 'pro']);
  });

  it('falls back after two retries, names both models, and gives an account of every attempt', async () => {
    const scene = new Scene({ runs: { pro: [overloaded], flash: [answer] } });
    const result = await scene.ask();
    expect(scene.models).toEqual(['pro', 'pro', 'pro', 'flash']);
    expect(result.ok && result.answer.attempts.map(({ model, failure }) => [model, failure?.kind])).toEqual([
      ['pro', 'overloaded'],
      ['pro', 'overloaded'],
      ['pro', 'overloaded'],
      ['flash', undefined],
    ]);
    expect(result.ok && formatAccount(result.answer)).toBe(
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the model is overloaded',
        'Model: flash (fallback from pro)',
        'Tokens: 1,000 input / 20 output',
      ].join('\n'),
    );
  });

  it.each<[string, ScriptedRun]>([
    ['a spent quota', spent],
    ['a lack of capacity', fails('capacity-exhausted')],
    ['an unknown model', fails('model-not-found')],
  ])('falls back at once after %s', async (_, failure) => {
    const scene = new Scene({ runs: { pro: [failure], flash: [answer] } });
    const result = await scene.ask();
    expect(result.ok && result.answer.model).toBe('flash');
    expect(scene.models).toEqual(['pro', 'flash']);
    expect(scene.clock.now()).toBeLessThan(startMs + 2_000);
  });

  it.each<[string, ScriptedRun]>([
    ['a request that was not accepted', fails('invalid-input')],
    ['a login that was not accepted', rejected],
    ['too many tokens', { failure: { kind: 'context-too-large', refusal: null, excerpt: '' } }],
    ['a blocked answer', { failure: { kind: 'blocked', what: 'answer', excerpt: '' } }],
    ['a turn limit', fails('turn-limit')],
  ])('asks no model again after %s', async (_, failure) => {
    const scene = new Scene({ runs: { pro: [failure], flash: [answer] } });
    await scene.fail();
    expect(scene.models).toEqual(['pro']);
  });

  it('tries no other model without a connection', async () => {
    const scene = new Scene({ runs: { pro: [offline], flash: [answer] } });
    expect((await scene.fail()).failure.kind).toBe('network');
    expect(scene.models).toEqual(['pro', 'pro', 'pro']);
  });

  it('retries a model that was asked for by name, and never replaces it', async () => {
    const scene = new Scene({ runs: { lite: [overloaded], pro: [answer], flash: [answer] } });
    expect((await scene.fail({ model: 'lite' })).failure.kind).toBe('overloaded');
    expect(scene.models).toEqual(['lite', 'lite', 'lite']);
  });

  it('waits for as long as the API asks', async () => {
    const scene = new Scene({ runs: { pro: [limited(20_000), answer] } });
    const pending = scene.start();
    await scene.clock.advance(20_499);
    expect(scene.models).toEqual(['pro']);
    await scene.clock.advance(1);
    expect(scene.models).toEqual(['pro', 'pro']);
    expect((await pending).ok).toBe(true);
  });

  it('takes the next model where the API asks for more time than there is', async () => {
    const scene = new Scene({ runs: { pro: [limited(60_000)], flash: [answer] } });
    expect((await scene.ask()).ok).toBe(true);
    expect(scene.models).toEqual(['pro', 'flash']);
  });

  it('fails as the last model failed, when all have', async () => {
    const scene = new Scene({ runs: { pro: [spent], flash: [overloaded] } });
    const { failure, attempts, timeoutMs } = await scene.fail({ timeoutMs: 30_000 });
    expect(failure.kind).toBe('overloaded');
    expect(attempts.map(({ model }) => model)).toEqual(['pro', 'flash', 'flash', 'flash']);
    expect(timeoutMs).toBe(30_000);
  });

  it('keeps the text of the attempt that said something last', async () => {
    const broken: ScriptedRun = { ...offline, chunks: ['Half an ', 'ans'] };
    const scene = new Scene({ runs: { pro: [overloaded, overloaded, broken] } });
    expect(await scene.fail()).toMatchObject({ failure: { kind: 'network' }, partialText: 'Half an ans' });
  });

  it('keeps the text of an attempt before it, when the last one said nothing', async () => {
    const half: ScriptedRun = { ...overloaded, chunks: ['Half'] };
    const scene = new Scene({ runs: { pro: [half, { chunks: ['\n'], hangs: true }] } });
    const failed = await scene.fail({ timeoutMs: 30_000 });
    expect(failed).toMatchObject({ failure: { kind: 'timeout' }, partialText: 'Half' });
  });
});

describe('AskGemini keeps its deadline', () => {
  it('ends a call with what the run said when it times out', async () => {
    const scene = new Scene({ runs: { pro: [{ chunks: ['Half'], hangs: true }], flash: [answer] } });
    const failed = await scene.fail({ timeoutMs: 30_000 });
    expect(failed).toMatchObject({ failure: { kind: 'timeout' }, partialText: 'Half', timeoutMs: 30_000 });
    expect(failed.attempts.map(({ durationMs }) => durationMs)).toEqual([30_000]);
    expect(scene.models).toEqual(['pro']);
  });
});

describe('AskGemini is cancelled', () => {
  it('before it reads: nothing is read or asked', async () => {
    const scene = new Scene({ runs: { pro: [answer] }, tree: { a: 'one' } });
    scene.cancellation.abort();
    expect(await scene.fail({ files: ['a'] })).toMatchObject({ failure: { kind: 'cancelled' }, attempts: [] });
    expect(scene.models).toEqual([]);
  });

  it('before it asks: no run begins', async () => {
    const scene = new Scene({ runs: { pro: [answer] } });
    scene.cancellation.abort();
    expect((await scene.fail()).failure).toEqual({ kind: 'cancelled' });
    expect(scene.models).toEqual([]);
  });

  it('while it reads: nothing is asked', async () => {
    const scene = new Scene({ runs: { pro: [answer] }, tree: { a: 'one' } });
    const pending = scene.start({ files: ['a'] });
    expect(scene.progress).toEqual([{ type: 'reading-context' }]);
    scene.cancellation.abort();
    expect(failedOf(await pending)).toMatchObject({ failure: { kind: 'cancelled' }, attempts: [] });
    expect(scene.models).toEqual([]);
  });

  it('during a run: its text so far is kept', async () => {
    const scene = new Scene({ runs: { pro: [{ chunks: ['Half'], hangs: true }] } });
    const pending = scene.start();
    await scene.clock.advance(1_000);
    scene.cancellation.abort();
    expect(failedOf(await pending)).toMatchObject({
      failure: { kind: 'cancelled' },
      partialText: 'Half',
      attempts: [{ model: 'pro', durationMs: 1_000, failure: { kind: 'cancelled' } }],
    });
    expect(scene.clock.sleeping).toBe(0);
  });

  it('while it waits for a retry: no other run begins', async () => {
    const scene = new Scene({ runs: { pro: [{ ...overloaded, chunks: ['Half'] }, answer] } });
    const pending = scene.start();
    await scene.clock.advance(499);
    expect(scene.progress.at(-1)?.type).toBe('waiting');
    scene.cancellation.abort();
    expect(failedOf(await pending)).toMatchObject({
      failure: { kind: 'cancelled' },
      partialText: 'Half',
      attempts: [{ model: 'pro', failure: { kind: 'overloaded' } }],
    });
    expect(scene.models).toEqual(['pro']);
    expect(scene.clock.sleeping).toBe(0);
  });
});

describe('AskGemini has nothing to send', () => {
  it('asks no model when no named file can be read', async () => {
    const scene = new Scene({ runs: { pro: [answer] } });
    const failed = await scene.fail({ files: ['gone'], globPatterns: ['*.ts'] });
    expect(failed.failure).toEqual({ kind: 'no-context', leftOut: failed.context?.leftOut });
    expect(failed.context?.leftOut).toEqual([
      { path: 'gone', reason: 'not-found', origin: 'file' },
      { path: '*.ts', reason: 'pattern-without-match', origin: 'glob' },
    ]);
    expect(scene.models).toEqual([]);
    expect(scene.progress).toEqual([{ type: 'reading-context' }]);
  });
});
