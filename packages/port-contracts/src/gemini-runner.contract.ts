import type { RunEvent } from '@gemini-mcp/core';
import { afterEach, describe, expect, it } from 'vitest';
import { describeGeminiRunnerFeatures } from './gemini-runner-features.contract.ts';
import {
  collectEvents,
  type GeminiRunnerHarness,
  type OpenGeminiRunner,
  outcomeOf,
  requestOf,
  textOf,
} from './gemini-runner-harness.ts';
import { hostileText } from './hostile-text.ts';

export type GeminiRunnerContractOptions = {
  readonly name: string;
  readonly create: () => Promise<GeminiRunnerHarness>;
  /** Sizes, in characters, at which hostile text is delivered; the largest takes the longest. */
  readonly literalSizes: readonly number[];
};

/** What every `GeminiRunner` owes. */
export function describeGeminiRunnerContract({ name, create, literalSizes }: GeminiRunnerContractOptions): void {
  describe(`GeminiRunner contract: ${name}`, () => {
    const harnesses: GeminiRunnerHarness[] = [];
    const open: OpenGeminiRunner = async (situation) => {
      const harness = await create();
      harnesses.push(harness);
      harness.arrange(situation);
      return harness;
    };
    afterEach(async () => {
      for (const harness of harnesses.splice(0)) {
        await harness.dispose();
      }
    });

    it('an answer comes as text in order, then usage, then one outcome, and leaves nothing behind', async () => {
      const harness = await open({ type: 'answer', chunks: ['first ', 'second ', 'third'] });
      const events = await collectEvents(harness);
      expect(textOf(events)).toBe('first second third');
      expect(events.filter((event) => event.type === 'usage')).toMatchObject([
        { models: [{ model: 'gemini-2.5-pro' }] },
      ]);
      expect(events.filter((event) => event.type === 'outcome')).toHaveLength(1);
      expect(outcomeOf(events)).toMatchObject({ termination: 'exited', completion: 'success', answered: true });
      expect(await harness.leftovers()).toEqual([]);
    });

    it.each(literalSizes)('delivers hostile text of %i characters literally', async (size) => {
      const input = hostileText.repeat(Math.ceil(size / hostileText.length)).slice(0, size);
      const wellFormed = /\p{Surrogate}$/u.test(input) ? `${input.slice(0, -1)}x` : input;
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      await collectEvents(harness, { input: wellFormed });
      expect(harness.received().length).toBe(1);
      // Compared by hand: a diff of megabytes helps nobody.
      expect(harness.received()[0] === wellFormed).toBe(true);
    });

    it('refuses what it cannot deliver whole, before anything is sent', async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const input = 'x'.repeat(harness.runner.capabilities.maxInputCharacters + 1);
      const events = await collectEvents(harness, { input });
      expect(outcomeOf(events)).toMatchObject({
        termination: 'refused',
        refusal: { measure: 'characters', actual: input.length },
      });
      expect(harness.received()).toEqual([]);
    });

    it('an answer without text is no success', async () => {
      const harness = await open({ type: 'empty' });
      const events = await collectEvents(harness);
      expect(outcomeOf(events)).toMatchObject({ termination: 'exited', answered: false });
      expect(await harness.leftovers()).toEqual([]);
    });

    it('an error of the API is in the outcome, with what was said', async () => {
      const harness = await open({ type: 'failure', httpStatus: 503, message: 'The model is overloaded.' });
      const events = await collectEvents(harness);
      const outcome = outcomeOf(events);
      expect(outcome).toMatchObject({ completion: 'error', answered: false, httpStatus: 503 });
      expect(outcome.messages.join('\n')).toContain('overloaded');
      expect(await harness.leftovers()).toEqual([]);
    });

    it('a signal that is aborted already sends nothing', async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const events = await collectEvents(harness, {}, AbortSignal.abort());
      expect(outcomeOf(events).termination).toBe('cancelled');
      expect(harness.received()).toEqual([]);
      expect(await harness.leftovers()).toEqual([]);
    });

    it('an abort after the first text ends the run with that text, and leaves nothing behind', async () => {
      const harness = await open({ type: 'hang', chunks: ['partial'] });
      const controller = new AbortController();
      const events: RunEvent[] = [];
      for await (const event of harness.runner.run(requestOf(harness), controller.signal)) {
        events.push(event);
        controller.abort();
      }
      expect(textOf(events)).toBe('partial');
      expect(outcomeOf(events).termination).toBe('cancelled');
      expect(await harness.leftovers()).toEqual([]);
    });

    it('ends at the deadline', async () => {
      const harness = await open({ type: 'hang', chunks: [] });
      const timeoutMs = 3_000;
      const run = collectEvents(harness, { deadlineAtMs: harness.now() + timeoutMs });
      await harness.pass(timeoutMs);
      expect(outcomeOf(await run).termination).toBe('timed-out');
      expect(await harness.leftovers()).toEqual([]);
    });

    it('a consumer that stops listening ends the run', async () => {
      const harness = await open({ type: 'hang', chunks: ['partial'] });
      for await (const event of harness.runner.run(requestOf(harness), new AbortController().signal)) {
        expect(event).toMatchObject({ type: 'text' });
        break;
      }
      expect(await harness.leftovers()).toEqual([]);
    });

    it('runs side by side do not mix', async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const inputs = ['canary-one', 'canary-two'];
      await Promise.all(inputs.map((input) => collectEvents(harness, { input })));
      expect([...harness.received()].sort()).toEqual(inputs);
    });

    describeGeminiRunnerFeatures(open);
  });
}
