import type { RunnerCapabilities } from '@gemini-mcp/core';
import { FakeClock, messageOnly, ScriptedGeminiRunner, type ScriptedRun } from '@gemini-mcp/core/testing';
import { describeGeminiRunnerContract } from './gemini-runner.contract.ts';
import type { GeminiRunnerHarness, Situation } from './gemini-runner-harness.ts';

function play(situation: Situation, model: string): ScriptedRun {
  switch (situation.type) {
    case 'answer':
      return { chunks: situation.chunks, usage: [{ model, inputTokens: 3, outputTokens: 2 }] };
    case 'hang':
      return { chunks: situation.chunks, hangs: true };
    case 'empty':
      return { chunks: [] };
    case 'failure': {
      const { httpStatus, message } = situation;
      return {
        outcome: { completion: 'error', answered: false, httpStatus, exitCode: httpStatus % 256, messages: [message] },
      };
    }
  }
}

async function create(capabilities: Partial<RunnerCapabilities> = {}): Promise<GeminiRunnerHarness> {
  const clock = new FakeClock();
  let situation: Situation = { type: 'empty' };
  const runner = new ScriptedGeminiRunner({ clock, script: (request) => play(situation, request.model), capabilities });
  return {
    runner,
    arrange: (next) => {
      situation = next;
    },
    received: () => runner.requests.map((request) => request.input),
    carried: () =>
      runner.requests.map(({ history = [], media = [], settings }) => ({
        history,
        systemPrompt: settings?.systemPrompt ?? '',
        media: media.map(({ mediaType, bytes }) => ({ mediaType, bytes })),
      })),
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    leftovers: async () => (clock.sleeping === 0 ? [] : [`${clock.sleeping} sleeping`]),
    dispose: async () => undefined,
  };
}

describeGeminiRunnerContract({ name: 'ScriptedGeminiRunner', create, literalSizes: [10, 4_000, 1_000_000] });
describeGeminiRunnerContract({
  name: 'ScriptedGeminiRunner that carries a message and nothing else',
  create: () => create(messageOnly),
  literalSizes: [10],
});
