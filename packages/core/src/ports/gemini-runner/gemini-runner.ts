import type { RunEvent } from './run-event.ts';
import type { RunNeeds, RunRequest } from './run-request.ts';
import type { RunnerCapabilities } from './runner-capabilities.ts';
import type { TokenCount } from './token-usage.ts';

/**
 * Runs one request to Gemini. Implementations must:
 *
 * - Yield events in the order in which they happened: any number of `status`, before all others but notices; the text of the answer, each piece once
 *   and unchanged; usage, search results and page outcomes, each at most once and after the text; exactly one `RunEnd`, last. A run ends in an answer
 *   only if visible text came and the model ended it with an ending that is delivered.
 * - Carry the request exactly, for this run alone: its model, key and settings; its message, conversation, system prompt and media unchanged and
 *   whole, up to the declared sizes. Refuse larger input as `context-too-large` with both figures, and anything else they cannot honour as
 *   `unsupported`, before sending anything. The request object stays unchanged.
 * - Pass each call of a model tool to its provider once, with Gemini's arguments, and the whole result back to Gemini. Calls of tools that may change
 *   something run one at a time, in Gemini's order. No call outlives the run.
 * - End the run by `deadlineAtMs` (plus the time that a stubborn process needs to die) as a `timeout`, and soon after an abort as `cancelled`. A
 *   consumer that stops iterating early ends the run like an abort. Concurrent runs are independent: none waits for another, sees another's data, or
 *   ends with another.
 * - Remove every process, file, connection and timer of the run before yielding the end, and leave no listener on the signal.
 * - Keep the run out of every Google log that a request can opt out of (`store: false` for a Gemini API key), unless the operator allows it.
 * - Report every error as a failure of the kind that names its meaning, and never throw. Failure texts contain no key of a call and no stack trace.
 * - Never retry, with one exception: if a process that serves several runs ends, a run that has yielded nothing yet may run once more in another
 *   process.
 */
export interface GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** The capabilities for a request with these needs, if one runner stands for several. `capabilities` if missing. */
  capabilitiesFor?(needs: RunNeeds): RunnerCapabilities;
  /**
   * Counts the tokens that `run` would send, without asking the model. Present if `tokenCount` is declared. Ends by the request's deadline as a
   * `timeout`, and soon after an abort as `cancelled`; never rejects.
   */
  countTokens?(request: RunRequest, signal: AbortSignal): Promise<TokenCount>;
}
