import { plainRunSettings, type RunSettings } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import { type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

/** What a runner owes where a request lets Gemini do more than answer. */
export function describeGeminiRunnerTools({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'lets Gemini do what each request allows, no more and no less',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { tools } = harness.runner.capabilities;
      for (const access of tools) {
        const settings: RunSettings = { ...plainRunSettings, tools: access };
        expect(failureOf(await collectEvents(harness, { input: access, settings }))).toBeNull();
      }
      const carried = harness.carried?.() ?? proof.skip('what reaches the model is not seen here');
      expect(
        carried.map((one) => one.tools),
        'what Gemini was offered to do',
      ).toEqual(tools);
    },
    manyRuns,
  );

  proof.promise('runs inside of a sandbox where a request asks for one, or not at all', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    if (!harness.runner.capabilities.sandbox) {
      return proof.skip('declares no sandbox');
    }
    const failure = failureOf(await collectEvents(harness, { settings: { ...plainRunSettings, sandbox: true } }));
    if (failure === null) {
      const carried = harness.carried?.() ?? proof.skip('what reaches the model is not seen here');
      expect(
        carried.map(({ isInSandbox }) => isInSandbox),
        'whether it ran inside of a sandbox',
      ).toEqual([true]);
    } else {
      expect(failure.kind, 'why it did not run').toMatch(/^sandbox-missing$|^unsupported$/);
      expect(harness.received()).toEqual([]);
    }
  });
}
