import type { RunEvent } from './run-event.ts';
import type { RunNeeds, RunRequest } from './run-request.ts';
import type { RunnerCapabilities } from './runner-capabilities.ts';
import type { TokenCount } from './token-usage.ts';

/**
 * Carries one request to Gemini. An implementer owes:
 *
 * - Events in the order in which they happened: any number of `status`, before all others but notices; the text of the answer, each piece once and unchanged; what the run used, what
 *   a search found and what became of pages, each at most once and after the text; exactly one `RunEnd`, last. An answer only where visible text came and the model ended it as
 *   one that is delivered.
 * - The request as it says, for that run alone: its model, key and settings, and message, conversation, system prompt and media
 *   unchanged and whole, up to the sizes that are declared. What is larger is refused as `context-too-large` with both figures,
 *   and what else of it cannot be honoured as `unsupported`, before anything is sent. The request itself stays as it was.
 * - Each call of a lent tool to its source once, with the arguments as Gemini gave them, and the result back to Gemini whole; calls of
 *   tools that may change something one at a time, in Gemini's order. None goes on when the run has ended.
 * - The end of the run by `deadlineAtMs` (plus the time that a stubborn process needs to die) as a `timeout`, and soon after an
 *   abort as `cancelled`. A consumer that stops iterating early ends the run as an abort does. Runs go on side by side: none
 *   waits for another, carries anything of another, or ends with another.
 * - Every process, file, connection and timer of the run gone before the end is yielded, and no listener left on the signal.
 * - Nothing of the run in a log of Google's that a request can be kept out of (`store: false` for a key of the Gemini API), unless the
 *   operator allows it.
 * - Whatever goes wrong as a failure of the kind that says what it means, never as an exception. Its words hold no key of a
 *   call and no stack trace.
 * - No retries of its own, but for one: where a process that serves several runs ends, a run of which nothing has been yielded
 *   yet may be carried once more by another.
 */
export interface GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** What carries a request that needs this, where one runner stands for several. `capabilities` when it is missing. */
  capabilitiesFor?(needs: RunNeeds): RunnerCapabilities;
  /**
   * Counts what `run` would send, without asking the model anything. There where `tokenCount` is declared. Ends by the deadline of
   * the request as a `timeout`, and soon after an abort as `cancelled`; never rejects.
   */
  countTokens?(request: RunRequest, signal: AbortSignal): Promise<TokenCount>;
}
