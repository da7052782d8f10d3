import { plainRunSettings, type RunSettings } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import { type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

/** The promises for a request that allows Gemini tools. */
export function describeGeminiRunnerTools({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'allows Gemini exactly the tools of each request',
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
        'tools offered to Gemini',
      ).toEqual(tools);
    },
    manyRuns,
  );

  proof.promise('runs in a sandbox if a request asks for one, or not at all', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    if (!harness.runner.capabilities.sandbox) {
      return proof.skip('declares no sandbox');
    }
    const failure = failureOf(await collectEvents(harness, { settings: { ...plainRunSettings, sandbox: true } }));
    if (failure === null) {
      const carried = harness.carried?.() ?? proof.skip('what reaches the model is not seen here');
      expect(
        carried.map(({ isInSandbox }) => isInSandbox),
        'whether it ran in a sandbox',
      ).toEqual([true]);
    } else {
      expect(failure.kind, 'why it did not run').toMatch(/^sandbox-missing$|^unsupported$/);
      expect(harness.received()).toEqual([]);
    }
  });
}
