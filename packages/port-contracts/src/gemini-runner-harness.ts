import type {
  ConversationTurn,
  GeminiFailure,
  GeminiRunner,
  InlineMedia,
  RunEnd,
  RunEvent,
  RunRequest,
} from '@gemini-mcp/core';
import { expect } from 'vitest';

/** What the model, or the way to it, does in a run. */
export type Situation =
  | {
      readonly type: 'answer';
      readonly chunks: readonly string[];
      /** Whatever is behind the first chunk is said only once this has settled. */
      readonly release?: Promise<unknown>;
      /** What the API counts; the harness chooses where it is missing. */
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
    }
  /** Says the chunks, then nothing more. */
  | { readonly type: 'hang'; readonly chunks: readonly string[] }
  | { readonly type: 'empty' }
  /** Thinks, and says nothing. */
  | { readonly type: 'thoughts' }
  /** A safety filter lets no text through, or refuses the prompt as a whole. */
  | { readonly type: 'blocked'; readonly what: 'answer' | 'prompt' }
  /** Says the chunks, and ends them with this `finishReason` of the API. */
  | { readonly type: 'ended'; readonly finishReason: string; readonly chunks: readonly string[] }
  /** Says the chunks and ends in good order, without a reason for the end. */
  | { readonly type: 'unfinished'; readonly chunks: readonly string[] }
  /** The connection breaks behind the chunks; where there are none, before any answer. */
  | { readonly type: 'cut'; readonly chunks: readonly string[] }
  | { readonly type: 'failure'; readonly httpStatus: number; readonly message: string }
  /** HTTP 429 as Google sends it: for the quota of a minute with the time to wait, or for that of a day. */
  | { readonly type: 'quota'; readonly of: 'minute'; readonly retryAfterSeconds: number }
  | { readonly type: 'quota'; readonly of: 'day' };

/** What reached the model with one message. */
export type CarriedContext = {
  /** What was said before, oldest first, without what the runner itself puts there. */
  readonly history: readonly ConversationTurn[];
  readonly systemPrompt: string;
  readonly media: readonly Pick<InlineMedia, 'mediaType' | 'bytes'>[];
  /** All that was sent with the message, and the message itself, as one text to search in. */
  readonly whole: string;
};

export type GeminiRunnerHarness = {
  readonly runner: GeminiRunner;
  /** Says what happens from now on in a run with that message. */
  readonly arrange: (choose: (input: string) => Situation) => void;
  /** The messages that reached the model, in order, each without what the runner itself puts before it. */
  readonly received: () => readonly string[];
  /** Resolves once that many messages have reached the model since the harness was made. */
  readonly whenReceived: (count: number) => Promise<void>;
  /** What reached the model with each of these messages; missing where that cannot be seen. */
  readonly carried?: () => readonly CarriedContext[];
  /**
   * A directory that the runner may give, with another inside of it, and one beside both that it may give as well; missing
   * where it gives none.
   */
  readonly directories?: { readonly outer: string; readonly inner: string; readonly other: string };
  /** Ends whatever carries the runs now, as a crash does; missing where nothing does. */
  readonly kill?: () => Promise<void>;
  /** The present time of the runner's clock. */
  readonly now: () => number;
  /** Makes the runner's clock go forward at once. */
  readonly pass: (durationMs: number) => Promise<void>;
  /**
   * What runs that are over have left behind: processes, files, timers; empty when there is nothing. What a runner keeps for
   * runs to come is not among it.
   */
  readonly leftovers: () => Promise<readonly string[]>;
  /** Closes the runner, if it can be closed, and removes everything. */
  readonly dispose: () => Promise<void>;
  /** What was still there when the runner had been closed by `dispose`: nothing may be. */
  readonly remains?: () => Promise<readonly string[]>;
};

export type OpenGeminiRunner = (situation: Situation) => Promise<GeminiRunnerHarness>;

/** For tests of many runs: where each starts a program, they take long. */
export const manyRunsTimeoutMs = 300_000;

/** The deadline of a run that is to meet none, even where many run at once on a busy machine. */
const generousMs = 250_000;

export function requestOf(harness: GeminiRunnerHarness, fields: Partial<RunRequest> = {}): RunRequest {
  return { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: harness.now() + generousMs, ...fields };
}

export async function collectEvents(
  harness: GeminiRunnerHarness,
  fields: Partial<RunRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of harness.runner.run(requestOf(harness, fields), signal)) {
    events.push(event);
  }
  return events;
}

export type ListeningOptions = {
  readonly fields?: Partial<RunRequest>;
  /** Called once, when the first text has come; what comes later waits for it. */
  readonly onFirstText: () => unknown;
};

/** As `collectEvents`, for a run in which something is to happen as soon as text has come. */
export async function collectListening(
  harness: GeminiRunnerHarness,
  { fields, onFirstText }: ListeningOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of harness.runner.run(requestOf(harness, fields), signal)) {
    const isFirstText = event.type === 'text' && textOf(events) === '';
    events.push(event);
    if (isFirstText) {
      await onFirstText();
    }
  }
  return events;
}

export function textOf(events: readonly RunEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
}

/** How a run ended: by its last event, which is the only one of that kind. */
export function endOf(events: readonly RunEvent[]): RunEnd {
  const ends = events.filter((event) => event.type === 'answer' || event.type === 'failure');
  const [end] = ends;
  if (end === undefined || ends.length > 1 || events.at(-1) !== end) {
    throw new Error(`A run ends with one answer or failure, and nothing follows it; this one told ${typesOf(events)}.`);
  }
  return end;
}

/** Why a run gave no answer; null for an answer. */
export function failureOf(events: readonly RunEvent[]): GeminiFailure | null {
  const end = endOf(events);
  return end.type === 'failure' ? end.failure : null;
}

function typesOf(events: readonly RunEvent[]): string {
  return events.length === 0 ? 'nothing' : events.map(({ type }) => type).join(', ');
}

/**
 * A run that is over has left nothing, and touches no later one. Where each run has a process of its own, what is left could
 * only be files and processes.
 */
export async function expectNoTraces(harness: GeminiRunnerHarness, before: readonly string[]): Promise<void> {
  expect(await harness.leftovers()).toEqual([]);
  if (harness.runner.capabilities.warmStart) {
    await expectFreshRun(harness, before);
  }
}

/** The next run on the same runner answers, and what reaches the model with it holds none of the texts of runs before. */
export async function expectFreshRun(harness: GeminiRunnerHarness, before: readonly string[]): Promise<void> {
  expect(await harness.leftovers()).toEqual([]);
  const count = harness.received().length;
  harness.arrange(() => ({ type: 'answer', chunks: ['a fresh', ' answer'] }));
  const events = await collectEvents(harness, { input: 'A fresh question' });
  expect(failureOf(events)).toBeNull();
  expect(textOf(events)).toBe('a fresh answer');
  expect(harness.received().slice(count)).toEqual(['A fresh question']);
  const carried = harness.carried?.().at(-1);
  expect(carried?.history ?? []).toEqual([]);
  expect(before.filter((text) => carried?.whole.includes(text))).toEqual([]);
  expect(await harness.leftovers()).toEqual([]);
}
