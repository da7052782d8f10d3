import type { GeminiRunner, RunEvent } from '@gemini-mcp/core';
import { wallClock } from './wall-clock.ts';

export type Asking = { readonly limitMs?: number; readonly signal?: AbortSignal; readonly input?: string };

export function ask(
  runner: GeminiRunner,
  { limitMs = 60_000, signal = new AbortController().signal, input = 'Why?' }: Asking = {},
): AsyncIterable<RunEvent> {
  return runner.run({ model: 'gemini-3.8-flash', input, deadlineAtMs: wallClock.now() + limitMs }, signal);
}

export async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const collected: RunEvent[] = [];
  for await (const event of events) {
    collected.push(event);
  }
  return collected;
}

export function textOf(events: readonly RunEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
