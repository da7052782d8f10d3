import { type Clock, type EndOfStream, type GeminiRunner, parseAnswerEnding, type RunRequest } from '@gemini-mcp/core';
import { FakeClock, type ScriptedGeminiRunnerOptions, type ScriptedRun } from '@gemini-mcp/core/testing';
import { createMoment } from '../create-moment.ts';
import type { FoundBySearch, GeminiRunnerHarness, Situation } from '../gemini-runner/gemini-runner-harness.ts';
import { ScriptedProviderFactory } from '../tools/scripted-provider-factory.ts';
import { carriedByRequest } from './carried-by-request.ts';
import { failureByApi } from './failure-by-api.ts';
import { countScripted, ScriptedCounter } from './scripted-counter.ts';

/** The options of each scripted runner inside the one under test. */
export type ScriptedParts = {
  readonly clock: Clock;
  /** Plays the situation, and counts its request as received. */
  readonly script: ScriptedGeminiRunnerOptions['script'];
  /** Counts, or does what the test has arranged. */
  readonly count: NonNullable<ScriptedGeminiRunnerOptions['count']>;
  /** The directories that may be given. */
  readonly directories: readonly string[];
};

const directories = { outer: '/given', inner: '/given/inner', other: '/given-too', forbidden: '/forbidden' };

/** The harness of a runner with scripted runs inside. */
export function createScriptedHarness(createRunner: (parts: ScriptedParts) => GeminiRunner): GeminiRunnerHarness {
  const clock = new FakeClock();
  let choose = (_input: string): Situation => ({ type: 'empty' });
  let killing = createMoment();
  let arrival = createMoment();
  const requests: RunRequest[] = [];
  let running = 0;
  const script = (request: RunRequest): ScriptedRun => {
    requests.push(request);
    arrival.come();
    arrival = createMoment();
    running += 1;
    const onEnd = (): void => {
      running -= 1;
    };
    const situation = hideKey(choose(request.input), request);
    const toolSession = situation.type === 'calls' ? { toolSession: toolSessions.lend(situation.rounds) } : {};
    return { ...play(situation, request, killing.came), ...toolSession, onEnd };
  };
  const toolSessions = new ScriptedProviderFactory();
  const counter = new ScriptedCounter();
  const leftovers = async (): Promise<readonly string[]> => [
    ...Array.from({ length: running }, () => 'a run that goes on'),
    ...Array.from({ length: clock.sleeping }, () => 'a sleep'),
  ];
  return {
    runner: createRunner({ clock, script, count: counter.count, directories: [directories.outer, directories.other] }),
    arrange: (chosen) => {
      choose = chosen;
    },
    received: () => requests.map(({ input }) => input),
    whenReceived: async (count) => {
      while (requests.length < count) {
        await arrival.came;
      }
    },
    carried: () => requests.map(carriedByRequest),
    counting: counter,
    toolSession: toolSessions,
    directories,
    kill: async () => {
      killing.come();
      killing = createMoment();
    },
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    leftovers,
    dispose: async () => undefined,
    remains: leftovers,
  };
}

function play(situation: Situation, request: RunRequest, killed: Promise<unknown>): ScriptedRun {
  switch (situation.type) {
    case 'answer': {
      const { chunks, release, usage = { inputTokens: countScripted(request), outputTokens: 2 } } = situation;
      const { search, pages } = situation;
      return {
        chunks,
        ...(release !== undefined && { release }),
        usage: [{ model: request.model, ...usage }],
        ...(search !== undefined && searched(chunks.join(''), search)),
        ...(pages !== undefined && { pages }),
      };
    }
    case 'calls':
      return { chunks: situation.chunks };
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
      return { chunks: situation.chunks, failure: { kind: 'network', excerpt: 'terminated' } };
    case 'failure':
      return {
        chunks: situation.chunks ?? [],
        failure: failureByApi(situation.httpStatus, situation.message, errorInfo(situation.reason)),
      };
    case 'quota':
      return { failure: failureByApi(429, 'You exceeded your current quota.', quotaDetails(situation)) };
  }
}

function searched(answer: string, { queries, sources, supports }: FoundBySearch): Partial<ScriptedRun> {
  const search = { name: 'google_web_search' } as const;
  const grounding = {
    queries,
    sources: sources.map((source) => ({ ...source, isRedirect: isRedirect(source.url) })),
    supports: supports.map(({ text, sources: places }) => {
      const start = answer.indexOf(text);
      return { start, end: start + text.length, sources: places };
    }),
  };
  return {
    tools: [
      { ...search, phase: 'started' },
      { ...search, phase: 'succeeded' },
    ],
    grounding,
  };
}

function isRedirect(url: string): boolean {
  return url.startsWith('https://vertexaisearch.cloud.google.com/grounding-api-redirect/');
}

const bySafety: EndOfStream = { finishReason: 'SAFETY', blockReason: null };

function ended(end: EndOfStream, chunks: readonly string[] = []): ScriptedRun {
  return { chunks, ending: parseAnswerEnding(end) };
}

/** Hides the key of a call as a runner does. */
function hideKey(situation: Situation, { settings }: RunRequest): Situation {
  const key = settings?.apiKey ?? '';
  return situation.type === 'failure' && key !== ''
    ? { ...situation, message: situation.message.replaceAll(key, '[redacted]') }
    : situation;
}

function errorInfo(reason: string | undefined): readonly object[] {
  return reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
}

function quotaDetails(situation: Extract<Situation, { type: 'quota' }>): readonly object[] {
  const seconds = situation.of === 'minute' ? situation.retryAfterSeconds : 41;
  const quotaId = situation.of === 'minute' ? 'RequestsPerMinutePerModel' : 'RequestsPerDayPerModel';
  return [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` },
  ];
}
