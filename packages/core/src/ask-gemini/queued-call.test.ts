import { describe, expect, it } from 'vitest';
import { failureAdvice } from '../account/failure-advice.ts';
import type { AskResult } from '../answers/ask-result.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { CallQueue } from '../waiting/call-queue.ts';
import { type AskEnd, AskGemini } from './ask-gemini.ts';
import type { AskProgress } from './ask-request.ts';

const answer: ScriptedRun = { chunks: ['Because.'] };
const hanging: ScriptedRun = { chunks: ['Be'], hangs: true };

type Started = {
  readonly result: Promise<AskResult>;
  readonly progress: readonly AskProgress[];
  cancel(): void;
};

/** One slot and a few waiting calls; the prompt decides the answer. */
class Scene {
  readonly clock = new FakeClock();
  readonly queue: CallQueue;
  readonly runner: ScriptedGeminiRunner;
  readonly ends: AskEnd[] = [];
  readonly #askGemini: AskGemini;

  constructor(runs: Readonly<Record<string, ScriptedRun>>, maxQueued = 2) {
    const { clock } = this;
    this.queue = new CallQueue({ maxRunning: 1, maxQueued });
    this.runner = new ScriptedGeminiRunner({ clock, script: ({ input }) => runs[input] ?? answer });
    this.#askGemini = new AskGemini({
      clock,
      resolver: new InMemoryContextResolver({ tree: { a: 'one' }, clock }),
      runner: this.runner,
      modelChain: ['pro'],
      random: () => 0.5,
      boundaryOf: () => 'b0',
      queue: this.queue,
      onEnd: (end) => this.ends.push(end),
    });
  }

  /** The prompts that were asked, in order. */
  get asked(): readonly string[] {
    return this.runner.requests.map(({ input }) => input);
  }

  start(
    prompt: string,
    { owner = 'a', timeoutMs = 60_000, isCancelled = false, files = [] as readonly string[] } = {},
  ): Started {
    const progress: AskProgress[] = [];
    const cancellation = new AbortController();
    if (isCancelled) {
      cancellation.abort();
    }
    const names = { files, globPatterns: [], directories: [] };
    const request = { prompt, ...names, model: null, timeoutMs, maxFiles: 9, maxBytes: 999, owner };
    const result = this.#askGemini.ask(request, (event) => progress.push(event), cancellation.signal);
    return { result, progress, cancel: () => cancellation.abort() };
  }
}

describe('AskGemini waits for a place', () => {
  it('before it reads: a call that waits holds no files', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    const second = scene.start('second', { files: ['a'] });
    await scene.clock.advance(1_000);
    expect(second.progress).toEqual([{ type: 'queued', ahead: 0 }]);
    first.cancel();
    expect(await second.result).toMatchObject({ ok: true, answer: { text: 'Because.' } });
    expect(second.progress.map(({ type }) => type)).toEqual([
      'queued',
      'reading-context',
      'context-ready',
      'asking',
      'text',
    ]);
    expect(scene.queue.load).toEqual({ running: 0, queued: 0 });
    expect(scene.clock.sleeping).toBe(0);
  });

  it('and says nothing of it when it need not', async () => {
    const scene = new Scene({});
    const { result, progress } = scene.start('first');
    await result;
    expect(progress.map(({ type }) => type)).toEqual(['asking', 'text']);
  });

  it('in turn with other owners', async () => {
    const scene = new Scene({ first: hanging }, 9);
    const first = scene.start('first');
    const others = [scene.start('a1'), scene.start('a2'), scene.start('b1', { owner: 'b' })];
    await scene.clock.advance(1);
    first.cancel();
    await Promise.all(others.map(({ result }) => result));
    expect(scene.asked).toEqual(['first', 'a1', 'b1', 'a2']);
    expect(others.map(({ progress }) => progress[0])).toEqual([
      { type: 'queued', ahead: 0 },
      { type: 'queued', ahead: 1 },
      { type: 'queued', ahead: 1 },
    ]);
  });

  it('no longer than its deadline', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    const second = scene.start('second', { timeoutMs: 5_000 });
    await scene.clock.advance(5_000);
    expect(await second.result).toMatchObject({ failed: { failure: { kind: 'timeout' }, attempts: [] } });
    expect(scene.queue.load).toEqual({ running: 1, queued: 0 });
    first.cancel();
    await first.result;
    expect(scene.asked).toEqual(['first']);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('inside its deadline: what it waited is lost to its run', async () => {
    const scene = new Scene({ first: hanging, second: hanging });
    scene.start('first', { timeoutMs: 4_000 });
    const second = scene.start('second', { timeoutMs: 5_000 });
    await scene.clock.advance(5_000);
    expect(await second.result).toMatchObject({
      failed: { failure: { kind: 'timeout' }, attempts: [{ durationMs: 1_000 }], partialText: 'Be' },
    });
  });

  it('until it is cancelled', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    const second = scene.start('second');
    await scene.clock.advance(1_000);
    second.cancel();
    expect(await second.result).toMatchObject({ failed: { failure: { kind: 'cancelled' }, attempts: [] } });
    expect(scene.queue.load).toEqual({ running: 1, queued: 0 });
    first.cancel();
    await first.result;
    expect(scene.asked).toEqual(['first']);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('not at all when it was cancelled before', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    const second = scene.start('second', { isCancelled: true });
    expect(await second.result).toMatchObject({ failed: { failure: { kind: 'cancelled' } } });
    expect(scene.queue.load).toEqual({ running: 1, queued: 0 });
    first.cancel();
    await first.result;
    expect(scene.clock.sleeping).toBe(0);
  });
});

describe('AskGemini turns a call away', () => {
  it('LOAD-05: at once, when the queue is full, and says when to come again', async () => {
    const scene = new Scene({ first: hanging }, 1);
    const calls = [scene.start('first'), scene.start('second')];
    const third = scene.start('third');
    const result = await third.result;
    expect(result).toMatchObject({
      failed: { failure: { kind: 'busy', retryAfterMs: 20_000 }, attempts: [], partialText: '', timeoutMs: 60_000 },
    });
    expect(result.ok ? '' : failureAdvice(result.failed.failure)).toBe('Try again in 20 seconds.');
    expect(third.progress).toEqual([]);
    for (const call of calls) {
      call.cancel();
      await call.result;
    }
    expect(scene.queue.load).toEqual({ running: 0, queued: 0 });
  });

  it('LOAD: but loses none of the accepted ones, and crosses no answers', async () => {
    const canaries = Array.from({ length: 1_000 }, (_, index) => `canary ${index}`);
    const scene = new Scene(Object.fromEntries(canaries.map((canary) => [canary, { chunks: [canary] }])), 32);
    const results = await Promise.all(canaries.map((canary) => scene.start(canary).result));
    const texts = results.map((result) => (result.ok ? result.answer.text : result.failed.failure.kind));
    expect(texts).toEqual(canaries.map((canary, index) => (index < 33 ? canary : 'busy')));
    expect(scene.queue.load).toEqual({ running: 0, queued: 0 });
  });
});

describe('AskGemini reports how each call ended', () => {
  it('with the time that it took, and how much of it was waiting', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    const second = scene.start('second');
    await scene.clock.advance(3_000);
    first.cancel();
    const results = [await first.result, await second.result];
    expect(scene.ends).toEqual([
      { owner: 'a', result: results[0], durationMs: 3_000, waitedMs: 0 },
      { owner: 'a', result: results[1], durationMs: 3_000, waitedMs: 3_000 },
    ]);
  });

  it.each<[string, { readonly timeoutMs?: number; readonly files?: readonly string[] }, number, object]>([
    ['one that had nothing to send', { files: ['gone'] }, 0, { kind: 'no-context' }],
    ['one that was turned away, with a time to come again', {}, 2, { kind: 'busy', retryAfterMs: 20_000 }],
    ['one that waited until its time was over', { timeoutMs: 5_000 }, 1, { kind: 'timeout' }],
  ])('also %s', async (_, known, before, failure) => {
    const scene = new Scene({ hangs: hanging }, 1);
    const others = Array.from({ length: before }, () => scene.start('hangs'));
    const call = scene.start('asked', known);
    await scene.clock.advance(5_000);
    const result = await call.result;
    expect(result).toMatchObject({ failed: { failure } });
    const waitedMs = known.timeoutMs ?? 0;
    expect(scene.ends).toEqual([{ owner: 'a', result, durationMs: waitedMs, waitedMs }]);
    for (const other of others) {
      other.cancel();
      await other.result;
    }
  });

  it('and reports to the queue how long calls hold their slots', async () => {
    const scene = new Scene({ first: hanging });
    const first = scene.start('first');
    await scene.clock.advance(10_000);
    first.cancel();
    await first.result;
    expect(scene.queue.retryAfterMs('')).toBe(18_000);
  });
});

describe('AskGemini gives its place back', () => {
  it.each<[string, ScriptedRun, readonly string[]]>([
    ['an answer', answer, []],
    ['a failure', { failure: { kind: 'invalid-input', excerpt: 'Forbidden' } }, []],
    ['nothing to send', answer, ['gone']],
  ])('after %s', async (_, run, files) => {
    const scene = new Scene({ first: run });
    await scene.start('first', { files }).result;
    expect(scene.queue.load).toEqual({ running: 0, queued: 0 });
  });

  it('after a fault', async () => {
    const fault = new Error('broken');
    const scene = new Scene({
      get first(): ScriptedRun {
        throw fault;
      },
    });
    await expect(scene.start('first').result).rejects.toBe(fault);
    expect(scene.queue.load).toEqual({ running: 0, queued: 0 });
  });
});
