import type { RunEvent } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, collectListening, failureOf, textOf } from '../runner-places/collect-events.ts';
import { expectNoTraces } from '../runner-places/expect-fresh-run.ts';
import type { GeminiRunnerSubject } from './gemini-runner-harness.ts';

const input = 'canary of a question to somebody who died';
const partial = 'canary of an answer that was never finished';

/** The promises of a runner whose process or connection dies. */
export function describeGeminiRunnerCrash({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('a crash before the first text is a failure, or a second attempt succeeds', async () => {
    const harness = await open({ type: 'hang', chunks: [] });
    if (harness.kill === undefined) {
      return proof.skip('nothing that could crash carries the runs');
    }
    const run = collectEvents(harness, { input });
    await harness.whenReceived(1);
    harness.arrange(() => ({ type: 'answer', chunks: ['from a second try'] }));
    await harness.kill();
    const events = await run;
    if (failureOf(events) === null) {
      expect(textOf(events)).toBe('from a second try');
      expect(harness.received()).toEqual([input, input]);
    } else {
      expect(textOf(events)).toBe('');
      expectCrash(events);
    }
    await expectNoTraces(harness, [input, 'from a second try']);
  });

  proof.promise(
    'a crash during the answer is a failure that keeps the text, and the next run is unaffected',
    async () => {
      const harness = await open({ type: 'hang', chunks: [partial] });
      if (!harness.runner.capabilities.streaming) {
        return proof.skip('yields the answer as a whole');
      }
      const { kill } = harness;
      if (kill === undefined) {
        return proof.skip('nothing that could crash carries the runs');
      }
      const events = await collectListening(harness, { fields: { input }, onFirstText: kill });
      expect(textOf(events)).toBe(partial);
      expectCrash(events);
      // A second attempt must not repeat text that was already sent.
      expect(harness.received()).toEqual([input]);
      await expectNoTraces(harness, [input, partial]);
    },
  );
}

function expectCrash(events: readonly RunEvent[]): void {
  expect(failureOf(events)?.kind).toBe('crashed');
}
