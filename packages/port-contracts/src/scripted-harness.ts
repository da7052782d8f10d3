import type { Clock, GeminiRunner, RunRequest } from '@gemini-mcp/core';
import { FakeClock, type ScriptedGeminiRunnerOptions, type ScriptedRun } from '@gemini-mcp/core/testing';
import type { GeminiRunnerHarness, Situation } from './gemini-runner-harness.ts';

export type ScriptedParts = {
  readonly clock: Clock;
  /** For each scripted runner behind the one under test: plays the situation, and counts its request as received. */
  readonly script: ScriptedGeminiRunnerOptions['script'];
};

/** The harness of a runner with nothing but scripted runs behind it. */
export function createScriptedHarness(createRunner: (parts: ScriptedParts) => GeminiRunner): GeminiRunnerHarness {
  const clock = new FakeClock();
  let situation: Situation = { type: 'empty' };
  const requests: RunRequest[] = [];
  const script = (request: RunRequest): ScriptedRun => {
    requests.push(request);
    return play(situation, request.model);
  };
  return {
    runner: createRunner({ clock, script }),
    arrange: (next) => {
      situation = next;
    },
    received: () => requests.map(({ input }) => input),
    carried: () =>
      requests.map(({ history = [], media = [], settings }) => ({
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
