import type { Clock } from '../ports/clock.ts';
import type { InlineMedia } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import type { AskRequest } from './ask-request.ts';
import { capabilitiesFor, runRequestOf } from './run-request-of.ts';

/** Longer than the upload of a full window takes, and short next to the answer to one. */
const maxCountingMs = 60_000;

/** Counts the tokens of a message with its media, the conversation before it and the system prompt. Never rejects. */
export type CountMessage = (message: string, media: readonly InlineMedia[]) => Promise<TokenCount>;

export type MessageCounterOptions = {
  readonly runner: GeminiRunner;
  readonly clock: Clock;
  readonly request: AskRequest;
  /** It counts by the tokens of the first model, which is asked first. */
  readonly chain: ModelChain;
  readonly deadlineAtMs: number;
};

/**
 * What counts the messages of a request; null where the runner that would carry it cannot. From its first count on it has half of
 * what is left of the call, at most 60 s, for all of them: a count that hangs leaves the call its time.
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
