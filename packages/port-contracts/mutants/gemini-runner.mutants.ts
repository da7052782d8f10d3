import type { Clock, GeminiRunner } from '@gemini-mcp/core';
import { ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { describeGeminiRunnerContract } from '../src/gemini-runner/gemini-runner.contract.ts';
import type { GeminiRunnerHarness } from '../src/gemini-runner/gemini-runner-harness.ts';
import { runnerOverOfflineApi } from '../src/runner-places/runner-over-offline-api.ts';
import { createScriptedHarness } from '../src/runner-places/scripted-harness.ts';
import { RestGeminiRunner } from './gemini-runner/rest-gemini-runner.ts';
import { runnerAbortMutants } from './gemini-runner/runner-abort-mutants.ts';
import { runnerAnswerFormMutants } from './gemini-runner/runner-answer-form-mutants.ts';
import { countBy, runnerCountMutants } from './gemini-runner/runner-count-mutants.ts';
import { runnerCrashMutants } from './gemini-runner/runner-crash-mutants.ts';
import { runnerDirectoryMutants } from './gemini-runner/runner-directory-mutants.ts';
import { runnerEndingMutants } from './gemini-runner/runner-ending-mutants.ts';
import { runnerEventMutants } from './gemini-runner/runner-event-mutants.ts';
import { runnerFailureMutants } from './gemini-runner/runner-failure-mutants.ts';
import { runnerFeatureMutants } from './gemini-runner/runner-feature-mutants.ts';
import { runnerIsolationMutants } from './gemini-runner/runner-isolation-mutants.ts';
import type { RunnerMutant } from './gemini-runner/runner-mutant.ts';
import { runnerRequestMutants } from './gemini-runner/runner-request-mutants.ts';
import { runnerSizeMutants } from './gemini-runner/runner-size-mutants.ts';
import { runnerTextMutants } from './gemini-runner/runner-text-mutants.ts';
import { runnerToolMutants } from './gemini-runner/runner-tool-mutants.ts';
import { runnerToolSessionMutants } from './gemini-runner/runner-tool-session-mutants.ts';
import { runnerWebMutants } from './gemini-runner/runner-web-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

/** Small, so that a run at each limit takes no time, and different, so that one is not taken for another. */
const sizes = { maxInputCharacters: 300_000, maxInputBytes: 600_000, maxMediaBytes: 10_000 };

function change(right: GeminiRunner, clock: Clock, mutant: RunnerMutant | null): GeminiRunner {
  const changed = mutant?.mutate(right, clock) ?? {};
  return {
    capabilities: changed.capabilities ?? right.capabilities,
    run: changed.run ?? ((request, signal) => right.run(request, signal)),
    countTokens: changed.countTokens ?? ((request, signal) => countBy(right, request, signal)),
  };
}

/** Also does what the API does not offer: tools of a CLI, a sandbox, directories, crashes. */
function createScripted(mutant: RunnerMutant | null): GeminiRunnerHarness {
  return createScriptedHarness((parts) => {
    const right = new ScriptedGeminiRunner({ ...parts, capabilities: sizes });
    return change(right, parts.clock, mutant);
  });
}

/** Over real requests and sockets, in case these make a difference. */
const overApi = [
  ...runnerRequestMutants,
  ...runnerSizeMutants,
  ...runnerEventMutants,
  ...runnerFailureMutants,
  ...runnerAbortMutants,
  ...runnerIsolationMutants,
  ...runnerCountMutants,
  ...runnerWebMutants,
];
const scripted = [
  ...runnerTextMutants,
  ...runnerEndingMutants,
  ...runnerFeatureMutants,
  ...runnerToolMutants,
  ...runnerAnswerFormMutants,
  ...runnerToolSessionMutants,
  ...runnerCrashMutants,
  ...runnerDirectoryMutants,
];
const literalSizes = [10, 4_000, 200_000];

proveMutants(
  overApi,
  (about, mutant) => {
    const over = runnerOverOfflineApi((place) =>
      change(new RestGeminiRunner({ ...place, sizes, fields: mutant?.fields }), place.clock, mutant),
    );
    describeGeminiRunnerContract({ ...about, ...over, literalSizes });
  },
  // A test over sockets has taken half a second on a busy machine.
  { hangMs: 2_000 },
);
proveMutants(scripted, (about, mutant) => {
  describeGeminiRunnerContract({ ...about, create: async () => createScripted(mutant), literalSizes });
});
