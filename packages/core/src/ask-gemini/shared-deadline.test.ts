import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { AskGemini } from './ask-gemini.ts';

const failures: readonly GeminiFailure[] = [
  { kind: 'overloaded', excerpt: '' },
  { kind: 'quota-exhausted', excerpt: '' },
  { kind: 'rate-limited', retryAfterMs: 9_000, excerpt: '' },
  { kind: 'server-error', httpStatus: 500, excerpt: '' },
  { kind: 'crashed', detail: '', excerpt: '' },
];

const call = fc.record({
  runsMs: fc.infiniteStream(fc.nat(20_000)),
  randoms: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  failures: fc.infiniteStream(fc.constantFrom(...failures.map((failure): ScriptedRun => ({ failure })))),
  timeoutMs: fc.integer({ min: 1_000, max: 120_000 }),
});

/** A runner whose runs take their time, but never exceed the deadline. */
function slow(runner: GeminiRunner, clock: FakeClock, nextRunMs: (request: RunRequest) => number): GeminiRunner {
  return {
    capabilities: runner.capabilities,
    async *run(request: RunRequest, signal: AbortSignal) {
      await clock.sleep(Math.min(nextRunMs(request), request.deadlineAtMs - clock.now()), signal);
      yield* runner.run(request, signal);
    },
  };
}

it('shares one deadline among all runs and waits of a call, and leaves nothing waiting', async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ runsMs, randoms, failures, timeoutMs }) => {
      const clock = new FakeClock();
      const deadlineAtMs = clock.now() + timeoutMs;
      const runner = new ScriptedGeminiRunner({ clock, script: () => failures.next().value ?? {} });
      const deadlines = new Set<number>();
      const askGemini = new AskGemini({
        clock,
        resolver: new InMemoryContextResolver({ tree: {}, clock }),
        runner: slow(runner, clock, (run) => {
          deadlines.add(run.deadlineAtMs);
          return runsMs.next().value ?? 0;
        }),
        modelChain: ['pro', 'flash', 'lite'],
        random: () => randoms.next().value ?? 0,
        boundaryOf: () => 'b0',
      });
      const names = { files: [], globPatterns: [], directories: [] };
      const request = { prompt: '', ...names, model: null, timeoutMs, maxFiles: 1, maxBytes: 1 };
      let hasEnded = false;
      const result = askGemini
        .ask(request, () => undefined, new AbortController().signal)
        .finally(() => {
          hasEnded = true;
        });
      await clock.advance(timeoutMs);
      expect(hasEnded).toBe(true);
      expect(clock.sleeping).toBe(0);
      expect(await result).toMatchObject({ ok: false });
      expect(runner.requests.length).toBeLessThanOrEqual(9);
      expect(deadlines).toEqual(new Set([deadlineAtMs]));
    }),
    { numRuns: 50 },
  );
});
