import { type GeminiFailure, plainRunSettings, type RunEnd, type RunEvent, type RunRequest } from '@gemini-mcp/core';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';

/** A deadline that no run should reach, even with many runs on a busy machine. */
const generousMs = 250_000;

/** With a key for a runner that needs one. */
export function requestOf(harness: GeminiRunnerHarness, fields: Partial<RunRequest> = {}): RunRequest {
  const request = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: harness.now() + generousMs, ...fields };
  const { settings = plainRunSettings } = request;
  const { needsKeyOfCall = false } = harness.runner.capabilities;
  return needsKeyOfCall && settings.apiKey === null
    ? { ...request, settings: { ...settings, apiKey: 'AIzaContract-key_of_each_call' } }
    : request;
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
  /** Called once, when the first text has arrived; later events wait for it. */
  readonly onFirstText: () => unknown;
};

/** As `collectEvents`, with an action as soon as text has arrived. */
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

/** How a run ended: its last event, the only one of that kind. */
export function endOf(events: readonly RunEvent[]): RunEnd {
  const ends = events.filter((event) => event.type === 'answer' || event.type === 'failure');
  const [end] = ends;
  if (end === undefined || ends.length > 1 || events.at(-1) !== end) {
    throw new Error(
      `A run ends with one answer or failure, and nothing follows it; this one yielded ${typesOf(events)}.`,
    );
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
