import type { Clock } from '../ports/clock.ts';
import type { InlineMedia } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import type { AskRequest } from './ask-request.ts';
import { capabilitiesFor, runRequestOf } from './run-request-of.ts';

/** Longer than the upload of a full window, and short compared with answering one. */
const maxCountingMs = 60_000;

/** Counts the tokens of a message with its media, the conversation before it and the system prompt. Never rejects. */
export type CountMessage = (message: string, media: readonly InlineMedia[]) => Promise<TokenCount>;

export type MessageCounterOptions = {
  readonly runner: GeminiRunner;
  readonly clock: Clock;
  readonly request: AskRequest;
  /** Tokens are counted for the first model, which is asked first. */
  readonly chain: ModelChain;
  readonly deadlineAtMs: number;
};

/**
 * The counter for the messages of a request; null if the runner for it cannot count. From the first count on, all counts together get half of the
 * time left, at most 60 s, so that a count that hangs leaves time for the call.
 */
export function messageCounter(options: MessageCounterOptions, signal: AbortSignal): CountMessage | null {
  const { runner, clock, request, chain, deadlineAtMs } = options;
  const { countTokens } = runner;
  if (countTokens === undefined || capabilitiesFor(runner, request).tokenCount !== true) {
    return null;
  }
  let endsAtMs: number | null = null;
  return (message, media) => {
    const nowMs = clock.now();
    endsAtMs ??= nowMs + Math.min((deadlineAtMs - nowMs) / 2, maxCountingMs);
    const run = runRequestOf(request, { message, media, deadlineAtMs: endsAtMs });
    return countTokens.call(runner, { model: chain[0], ...run }, signal);
  };
}
