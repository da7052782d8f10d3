import type { AskResult } from '../../answers/ask-result.ts';
import { plainRunSettings } from '../../ports/gemini-runner/run-settings.ts';
import type { ChatReplyRequest, ChatRequest } from '../chat-request.ts';

/** A signal on which nothing is ever cancelled. */
export const never: AbortSignal = new AbortController().signal;

/** A listener to whom no progress matters. */
export const ignore = (): void => undefined;

/** The message that starts a session. */
export const first: ChatRequest = {
  owner: 'ann',
  prompt: 'hello',
  model: null,
  settings: plainRunSettings,
  timeoutMs: 60_000,
};

/** A reply in the owner's newest session, which changes nothing about it. */
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

/** A failure that had half an answer. */
export function failedWith(timeoutMs: number): AskResult {
  const failure = { kind: 'overloaded', excerpt: '' } as const;
  return { ok: false, failed: { failure, attempts: [], partialText: 'half', context: null, timeoutMs } };
}

/** What creates `id-1`, `id-2` and so on. */
export function numberedIds(): () => string {
  let ids = 0;
  return () => {
    ids += 1;
    return `id-${ids}`;
  };
}
