import type { ConversationTurn, GeminiRunner, InlineMedia, RunEvent, RunOutcome, RunRequest } from '@gemini-mcp/core';

/** What the model, or the way to it, does in the next runs. */
export type Situation =
  | { readonly type: 'answer'; readonly chunks: readonly string[] }
  /** Says the chunks, then nothing more. */
  | { readonly type: 'hang'; readonly chunks: readonly string[] }
  | { readonly type: 'empty' }
  | { readonly type: 'failure'; readonly httpStatus: number; readonly message: string };

/** What reached the model with one message. */
export type CarriedContext = {
  /** What was said before, oldest first, without what the runner itself puts there. */
  readonly history: readonly ConversationTurn[];
  readonly systemPrompt: string;
  readonly media: readonly Pick<InlineMedia, 'mediaType' | 'bytes'>[];
};

export type GeminiRunnerHarness = {
  readonly runner: GeminiRunner;
  readonly arrange: (situation: Situation) => void;
  /** The messages that reached the model, in order, each without what the runner itself puts before it. */
  readonly received: () => readonly string[];
  /** What reached the model with each of these messages; missing where that cannot be seen. */
  readonly carried?: () => readonly CarriedContext[];
  /** The present time of the runner's clock. */
  readonly now: () => number;
  /** Lets time pass, when the clock does not move by itself. */
  readonly pass: (durationMs: number) => Promise<void>;
  /** What runs have left behind: processes, files, timers; empty when there is nothing. */
  readonly leftovers: () => Promise<readonly string[]>;
  readonly dispose: () => Promise<void>;
};

export type OpenGeminiRunner = (situation: Situation) => Promise<GeminiRunnerHarness>;

export function requestOf(harness: GeminiRunnerHarness, fields: Partial<RunRequest> = {}): RunRequest {
  return { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: harness.now() + 60_000, ...fields };
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

export function textOf(events: readonly RunEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
}

export function outcomeOf(events: readonly RunEvent[]): RunOutcome {
  const last = events.at(-1);
  if (last?.type !== 'outcome') {
    throw new Error('The last event is not the outcome.');
  }
  return last.outcome;
}
