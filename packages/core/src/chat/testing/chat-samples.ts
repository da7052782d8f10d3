import type { AskResult } from '../../answers/ask-result.ts';
import type { GeminiRunner } from '../../ports/gemini-runner/gemini-runner.ts';
import { plainRunSettings } from '../../ports/gemini-runner/run-settings.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { ScriptedGeminiRunner } from '../../testing/scripted-gemini-runner.ts';
import type { ChatReplyRequest, ChatRequest } from '../chat-request.ts';

/** A signal that never aborts. */
export const never: AbortSignal = new AbortController().signal;

/** A runner for its capabilities alone: no question reaches it. */
export const capable: GeminiRunner = new ScriptedGeminiRunner({ clock: new FakeClock(), script: () => ({}) });

/** Ignores all progress. */
export const ignore = (): void => undefined;

/** The message that starts a session. */
export const first: ChatRequest = {
  owner: 'ann',
  prompt: 'hello',
  model: null,
  settings: plainRunSettings,
  timeoutMs: 60_000,
};

/** A reply in the owner's newest session that changes none of its settings. */
export const next: ChatReplyRequest = {
  owner: 'ann',
  sessionId: null,
  prompt: 'and then?',
  model: null,
  systemPrompt: null,
  directory: null,
  timeoutMs: 60_000,
};

export function answered(text: string): AskResult {
  return { ok: true, answer: { text, model: 'pro', attempts: [], usage: [], context: null } };
}

/** A failure with half an answer. */
export function failedWith(timeoutMs: number): AskResult {
  const failure = { kind: 'overloaded', excerpt: '' } as const;
  return { ok: false, failed: { failure, attempts: [], partialText: 'half', context: null, timeoutMs } };
}

/** Creates `id-1`, `id-2` and so on. */
export function numberedIds(): () => string {
  let ids = 0;
  return () => {
    ids += 1;
    return `id-${ids}`;
  };
}
