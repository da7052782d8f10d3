import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

describe('LOAD-05: 1,000 calls at once', () => {
  it('run and wait up to their limits, and the rest is refused; no answer is lost or swapped', async () => {
    const tools = new ConnectedTools({ script: (input) => ({ chunks: [`answer to ${input}`] }) });
    const client = await tools.connect();
    const prompts = Array.from({ length: 1_000 }, (_, index) => `canary-${index}.`);
    const outcomes = await Promise.all(prompts.map((prompt) => tools.call('gemini_query', { prompt }, { client })));
    const answered = outcomes.filter(({ isError }) => !isError);
    const busy = outcomes.filter(({ isError }) => isError);
    expect(answered.length + busy.length).toBe(1_000);
    expect(answered.length).toBeGreaterThanOrEqual(36);
    expect(tools.runner.requests).toHaveLength(answered.length);
    expect(busy.every(({ text }) => text.includes('too many calls are running'))).toBe(true);
    for (const [index, { text, isError }] of outcomes.entries()) {
      expect(isError || text === `answer to canary-${index}.`).toBe(true);
    }
  });

  it('four run, thirty-two wait, when none of them ends', async () => {
    const tools = new ConnectedTools({ script: () => ({ hangs: true }) });
    const client = await tools.connect();
    const controllers = Array.from({ length: 1_000 }, () => new AbortController());
    const calls = controllers.map(({ signal }, index) =>
      tools.call('gemini_query', { prompt: `${index}` }, { client, signal }).catch(() => 'cancelled' as const),
    );
    const refused = await Promise.all(calls.slice(36));
    expect(refused.every((outcome) => outcome !== 'cancelled' && outcome.isError)).toBe(true);
    expect(tools.runner.requests).toHaveLength(4);
    for (const controller of controllers) {
      controller.abort();
    }
    expect(await Promise.all(calls.slice(0, 36))).toEqual(Array.from({ length: 36 }, () => 'cancelled'));
    // The places are free again.
    const after = tools.call('gemini_query', { prompt: 'after', timeout: 1 }, { client });
    await tools.clock.advance(1_000);
    expect((await after).text).toContain('no answer in time');
  });
});
