import type { RunEvent } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { createMoment } from '../create-moment.ts';
import { listenersLeft } from '../listeners-left.ts';
import { collectEvents, collectListening, failureOf, requestOf, textOf } from '../runner-places/collect-events.ts';
import { expectNoTraces } from '../runner-places/expect-fresh-run.ts';
import type { GeminiRunnerHarness, GeminiRunnerSubject } from './gemini-runner-harness.ts';

const input = 'canary of a question that was given up';
const partial = 'canary of an answer that was given up';
const timeoutMs = 200_000;

/** How a test ends a run from outside, and the failure that follows. */
type Ending = {
  readonly failure: { readonly kind: 'cancelled' | 'timeout' };
  readonly end: (harness: GeminiRunnerHarness, controller: AbortController) => unknown;
};

const endings: readonly (readonly [string, Ending])[] = [
  ['an abort', { failure: { kind: 'cancelled' }, end: (_, controller) => controller.abort() }],
  ['the deadline', { failure: { kind: 'timeout' }, end: (harness) => harness.pass(timeoutMs) }],
];

/** The promises for a run that is ended from outside. */
export function describeGeminiRunnerEndings({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('sends nothing if the signal is aborted or the deadline has passed', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const aborted = await collectEvents(harness, {}, AbortSignal.abort());
    const late = await collectEvents(harness, { deadlineAtMs: harness.now() });
    expect([aborted, late].map(failureOf)).toEqual([{ kind: 'cancelled' }, { kind: 'timeout' }]);
    expect(harness.received()).toEqual([]);
    expect(await harness.leftovers()).toEqual([]);
  });

  for (const [name, ending] of endings) {
    proof.promise(`${name} before the first text ends the run, and the next one is unaffected`, async () => {
      const harness = await open({ type: 'hang', chunks: [] });
      const controller = new AbortController();
      const run = collectEvents(harness, { input, deadlineAtMs: harness.now() + timeoutMs }, controller.signal);
      await harness.whenReceived(1);
      await ending.end(harness, controller);
      const events = await run;
      expect(textOf(events)).toBe('');
      expect(failureOf(events)).toEqual(ending.failure);
      await expectNoTraces(harness, [input]);
    });

    proof.promise(`${name} after the first text keeps that text, and the next run is unaffected`, async () => {
      const harness = await open({ type: 'hang', chunks: [partial] });
      if (!harness.runner.capabilities.streaming) {
        return proof.skip('yields the answer as a whole');
      }
      const controller = new AbortController();
      const fields = { input, deadlineAtMs: harness.now() + timeoutMs };
      const onFirstText = (): unknown => ending.end(harness, controller);
      const events = await collectListening(harness, { fields, onFirstText }, controller.signal);
      expect(textOf(events)).toBe(partial);
      expect(failureOf(events)).toEqual(ending.failure);
      await expectNoTraces(harness, [input, partial]);
    });
  }

  proof.promise('a reader that stops ends the run, and the next one is unaffected', async () => {
    const harness = await open({ type: 'hang', chunks: [partial] });
    if (!harness.runner.capabilities.streaming) {
      return proof.skip('yields the answer as a whole');
    }
    const seen: RunEvent[] = [];
    for await (const event of harness.runner.run(requestOf(harness, { input }), new AbortController().signal)) {
      seen.push(event);
      break;
    }
    expect(seen).toEqual([{ type: 'text', text: partial }]);
    await expectNoTraces(harness, [input, partial]);
  });

  proof.promise('the end of one run leaves a concurrent one running', async () => {
    const harness = await open({ type: 'empty' });
    const released = createMoment();
    harness.arrange((message) =>
      message === 'stays'
        ? { type: 'answer', chunks: ['begun', ' and ended'], release: released.came }
        : { type: 'hang', chunks: [] },
    );
    const controller = new AbortController();
    const staying = collectEvents(harness, { input: 'stays', deadlineAtMs: harness.now() + 2 * timeoutMs });
    const aborted = collectEvents(harness, { input: 'is aborted' }, controller.signal);
    const late = collectEvents(harness, { input: 'is late', deadlineAtMs: harness.now() + timeoutMs });
    await harness.whenReceived(3);
    controller.abort();
    expect(failureOf(await aborted)).toEqual({ kind: 'cancelled' });
    await harness.pass(timeoutMs);
    expect(failureOf(await late)).toEqual({ kind: 'timeout' });
    released.come();
    const events = await staying;
    expect(failureOf(events)).toBeNull();
    expect(textOf(events)).toBe('begun and ended');
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('leaves no listener on the signal of a run, however it ends', async () => {
    const harness = await open({ type: 'empty' });
    const { streaming } = harness.runner.capabilities;
    harness.arrange((message) =>
      message === 'is answered' || (message === 'is left' && !streaming)
        ? { type: 'answer', chunks: ['begun'] }
        : { type: 'hang', chunks: ['begun'] },
    );
    const [answered, aborted, left, refused] = [
      new AbortController(),
      new AbortController(),
      new AbortController(),
      new AbortController(),
    ];
    await collectEvents(harness, { input: 'is answered' }, answered.signal);
    const run = collectEvents(harness, { input: 'is aborted' }, aborted.signal);
    await harness.whenReceived(2);
    aborted.abort();
    await run;
    for await (const _ of harness.runner.run(requestOf(harness, { input: 'is left' }), left.signal)) {
      break;
    }
    await collectEvents(harness, { input: 'is refused', deadlineAtMs: harness.now() }, refused.signal);
    const counts = [answered, aborted, left, refused].map(({ signal }) => listenersLeft(signal));
    expect(
      counts,
      'listeners on the signals of an answer, an abort, a run that its reader left, and a refusal',
    ).toEqual([0, 0, 0, 0]);
  });
}
