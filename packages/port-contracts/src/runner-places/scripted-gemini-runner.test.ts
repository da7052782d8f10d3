import type { RunnerCapabilities } from '@gemini-mcp/core';
import { messageOnly, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { describeGeminiRunnerContract } from '../gemini-runner/gemini-runner.contract.ts';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';
import { createScriptedHarness } from './scripted-harness.ts';

async function create(capabilities: Partial<RunnerCapabilities> = {}): Promise<GeminiRunnerHarness> {
  return createScriptedHarness((parts) => new ScriptedGeminiRunner({ ...parts, capabilities }));
}

describeGeminiRunnerContract({ name: 'ScriptedGeminiRunner', create, literalSizes: [10, 4_000, 1_000_000] });
describeGeminiRunnerContract({
  name: 'ScriptedGeminiRunner with messages only',
  create: () => create(messageOnly),
  literalSizes: [10],
});
describeGeminiRunnerContract({
  name: 'ScriptedGeminiRunner with whole answers and no usage',
  create: () => create({ streaming: false, usage: false }),
  literalSizes: [10],
});
describeGeminiRunnerContract({
  name: 'ScriptedGeminiRunner without a login of its own',
  create: () => create({ needsKeyOfCall: true }),
  literalSizes: [10],
});
