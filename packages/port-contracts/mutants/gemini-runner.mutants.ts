import type { GeminiRunner } from '@gemini-mcp/core';
import { ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { describeGeminiRunnerContract } from '../src/gemini-runner.contract.ts';
import type { GeminiRunnerHarness } from '../src/gemini-runner-harness.ts';
import { createScriptedHarness } from '../src/scripted-harness.ts';
import { proveMutants } from './prove-mutants.ts';
import { runnerAbortMutants } from './runner-abort-mutants.ts';
import { runnerDirectoryMutants } from './runner-directory-mutants.ts';
import { runnerEndingMutants } from './runner-ending-mutants.ts';
import { runnerEventMutants } from './runner-event-mutants.ts';
import { runnerFailureMutants } from './runner-failure-mutants.ts';
import { runnerFeatureMutants } from './runner-feature-mutants.ts';
import { runnerIsolationMutants } from './runner-isolation-mutants.ts';
import type { RunnerMutant } from './runner-mutant.ts';
import { runnerRequestMutants } from './runner-request-mutants.ts';
import { runnerSizeMutants } from './runner-size-mutants.ts';
import { runnerTextMutants } from './runner-text-mutants.ts';

/** Small enough that a run at each of them takes no time, and different, so that one is not taken for another. */
const sizes = { maxInputCharacters: 300_000, maxInputBytes: 600_000, maxMediaBytes: 10_000 };

function createHarness(mutant: RunnerMutant | null): GeminiRunnerHarness {
  return createScriptedHarness((parts) => {
    const right = new ScriptedGeminiRunner({ ...parts, capabilities: sizes });
    const changed = mutant?.mutate(right, parts.clock) ?? {};
    return {
      capabilities: changed.capabilities ?? right.capabilities,
      run: changed.run ?? ((request, signal) => right.run(request, signal)),
    } satisfies GeminiRunner;
  });
}

proveMutants(
  [
    ...runnerRequestMutants,
    ...runnerTextMutants,
    ...runnerSizeMutants,
    ...runnerFeatureMutants,
    ...runnerEventMutants,
    ...runnerEndingMutants,
    ...runnerFailureMutants,
    ...runnerAbortMutants,
    ...runnerIsolationMutants,
    ...runnerDirectoryMutants,
  ],
  (about, mutant) => {
    describeGeminiRunnerContract({
      ...about,
      create: async () => createHarness(mutant),
      literalSizes: [10, 4_000, 200_000],
    });
  },
);
