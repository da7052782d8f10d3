import {
  type Clock,
  type EndOfStream,
  type GeminiRunner,
  parseAnswerEnding,
  type RunOutcome,
  type RunRequest,
} from '@gemini-mcp/core';
import { FakeClock, type ScriptedGeminiRunnerOptions, type ScriptedRun } from '@gemini-mcp/core/testing';
import type { CarriedContext, GeminiRunnerHarness, Situation } from './gemini-runner-harness.ts';

export type ScriptedParts = {
  readonly clock: Clock;
  /** For each scripted runner behind the one under test: plays the situation, and counts its request as received. */
  readonly script: ScriptedGeminiRunnerOptions['script'];
};

/** The harness of a runner with nothing but scripted runs behind it. */
export function createScriptedHarness(createRunner: (parts: ScriptedParts) => GeminiRunner): GeminiRunnerHarness {
  const clock = new FakeClock();
  let choose = (_input: string): Situation => ({ type: 'empty' });
  let killing = createMoment();
  let arrival = createMoment();
  const requests: RunRequest[] = [];
  const script = (request: RunRequest): ScriptedRun => {
    requests.push(request);
    arrival.come();
    arrival = createMoment();
    return play(choose(request.input), request.model, killing.came);
  };
  return {
    runner: createRunner({ clock, script }),
    arrange: (chosen) => {
      choose = chosen;
    },
    received: () => requests.map(({ input }) => input),
    whenReceived: async (count) => {
      while (requests.length < count) {
        await arrival.came;
      }
    },
    carried: () => requests.map(carriedBy),
    directories: { outer: '/given', inner: '/given/inner', other: '/given-too' },
    kill: async () => {
      killing.come();
      killing = createMoment();
    },
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    leftovers: async () => (clock.sleeping === 0 ? [] : [`${clock.sleeping} sleeping`]),
    dispose: async () => undefined,
    remains: async () => (clock.sleeping === 0 ? [] : [`${clock.sleeping} sleeping`]),
  };
}

type Moment = { readonly came: Promise<void>; readonly come: () => void };

function createMoment(): Moment {
  let come = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { came, come };
}

function carriedBy(request: RunRequest): CarriedContext {
  const { input, history = [], media = [], settings } = request;
  const systemPrompt = settings?.systemPrompt ?? '';
  return {
    history,
    systemPrompt,
    media: media.map(({ mediaType, bytes }) => ({ mediaType, bytes })),
    whole: JSON.stringify({ input, history, systemPrompt, directory: settings?.directory }),
  };
}

function play(situation: Situation, model: string, killed: Promise<unknown>): ScriptedRun {
  switch (situation.type) {
    case 'answer': {
      const { chunks, release, usage = { inputTokens: 3, outputTokens: 2 } } = situation;
      return { chunks, ...(release !== undefined && { release }), usage: [{ model, ...usage }] };
    }
    case 'hang':
      return { chunks: situation.chunks, hangs: true, killed };
    case 'empty':
    case 'thoughts':
      return { chunks: [] };
    case 'blocked':
      return situation.what === 'prompt' ? ended({ finishReason: null, blockReason: 'SAFETY' }) : ended(bySafety);
    case 'ended':
      return ended({ finishReason: situation.finishReason, blockReason: null }, situation.chunks);
    case 'unfinished':
      return ended({ finishReason: null, blockReason: null }, situation.chunks);
    case 'cut':
      return fail({ exitCode: 1, messages: ['[API Error: terminated]'] }, situation.chunks);
    case 'failure':
      return failWith(situation.httpStatus, situation.message);
    case 'quota':
      return situation.of === 'day'
        ? failWith(429, 'You have exhausted your daily quota on this model.')
        : failWith(429, `You exceeded your current quota.\nSuggested retry after ${situation.retryAfterSeconds}s.`);
  }
}

const bySafety: EndOfStream = { finishReason: 'SAFETY', blockReason: null };

function ended(end: EndOfStream, chunks: readonly string[] = []): ScriptedRun {
  return { chunks, ending: parseAnswerEnding(end) };
}

function failWith(httpStatus: number, message: string): ScriptedRun {
  return fail({ httpStatus, exitCode: httpStatus % 256, messages: [message] });
}

function fail(outcome: Partial<RunOutcome>, chunks: readonly string[] = []): ScriptedRun {
  return { chunks, ending: null, outcome: { completion: 'error', ...outcome } };
}
