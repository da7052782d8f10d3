import { ChoosingGeminiRunner, type RunnerCapabilities } from '@gemini-mcp/core';
import { messageOnly, ScriptedGeminiRunner, type ScriptedRun } from '@gemini-mcp/core/testing';
import { describeGeminiRunnerContract } from './gemini-runner.contract.ts';
import type { GeminiRunnerHarness } from './gemini-runner-harness.ts';
import { createScriptedHarness } from './scripted-harness.ts';

const unavailable: ScriptedRun = { failure: { kind: 'runner-unavailable', excerpt: 'Unknown argument: acp' } };

type Arrangement = {
  readonly warm?: Partial<RunnerCapabilities>;
  readonly headless?: Partial<RunnerCapabilities>;
  readonly isWarmAvailable?: boolean;
};

async function create({ warm, headless, isWarmAvailable = true }: Arrangement): Promise<GeminiRunnerHarness> {
  return createScriptedHarness((parts) => {
    const warmRunner = new ScriptedGeminiRunner({
      ...parts,
      ...(!isWarmAvailable && { script: () => unavailable }),
      capabilities: { name: 'warm', ...warm },
    });
    const headlessRunner = new ScriptedGeminiRunner({
      ...parts,
      capabilities: { name: 'headless', warmStart: false, ...headless },
    });
    return new ChoosingGeminiRunner({ clock: parts.clock, runners: [warmRunner, headlessRunner], preference: 'auto' });
  });
}

describeGeminiRunnerContract({
  name: 'ChoosingGeminiRunner',
  create: () => create({ warm: { tools: ['none', 'web-search', 'read-only'], sandbox: false, maxMediaBytes: 1_000 } }),
  literalSizes: [10, 1_000_000],
});
describeGeminiRunnerContract({
  name: 'ChoosingGeminiRunner whose warm runner never comes up',
  create: () => create({ isWarmAvailable: false }),
  literalSizes: [10],
});
describeGeminiRunnerContract({
  name: 'ChoosingGeminiRunner over two that carry a message and nothing else',
  create: () => create({ warm: { ...messageOnly, maxInputCharacters: 1_000 }, headless: messageOnly }),
  literalSizes: [10, 4_000],
});
