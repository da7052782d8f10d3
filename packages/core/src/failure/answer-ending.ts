/** How the model ended the answer of a run. Only a run's last request counts: earlier ones ended in tool calls. */
export type AnswerEnding =
  | { readonly type: 'complete' }
  /** The model reached its output limit: the text is good but stops in the middle. */
  | { readonly type: 'output-limit' }
  /** One of Google's filters stopped the answer or refused the whole prompt. `reason` is the API's word, such as `SAFETY`. */
  | { readonly type: 'blocked'; readonly what: 'answer' | 'prompt'; readonly reason: string }
  /** The model wrote a tool call that could not be parsed. `reason` is the API's word. */
  | { readonly type: 'malformed'; readonly reason: string }
  /** The stream ended without a finish reason. */
  | { readonly type: 'unfinished' }
  /** The API gave a reason that this version does not know. */
  | { readonly type: 'unknown'; readonly reason: string };

/** The endings whose answer is delivered. */
export type DeliveredEnding = Extract<AnswerEnding, { readonly type: 'complete' | 'output-limit' | 'unknown' }>;

/** Whether an answer with this ending is delivered. If not, the run failed, and its text is a partial answer. */
export function isDelivered(ending: AnswerEnding): ending is DeliveredEnding {
  return ending.type === 'complete' || ending.type === 'output-limit' || ending.type === 'unknown';
}

/** The API's reasons at the end of a stream; null if the API gave none. */
export type EndOfStream = {
  /** `candidates[0].finishReason`. */
  readonly finishReason: string | null;
  /** `promptFeedback.blockReason`. */
  readonly blockReason: string | null;
};

/** `FinishReason` of the Gemini API (`@google/genai` 3.1.0), without the reasons for images. */
const finishReasons: Readonly<Record<string, 'complete' | 'output-limit' | 'blocked' | 'malformed'>> = {
  STOP: 'complete',
  MAX_TOKENS: 'output-limit',
  // The end of one segment of a long output, when no client requested the next segment.
  CONTINUATION: 'output-limit',
  SAFETY: 'blocked',
  RECITATION: 'blocked',
  LANGUAGE: 'blocked',
  OTHER: 'blocked',
  BLOCKLIST: 'blocked',
  PROHIBITED_CONTENT: 'blocked',
  SPII: 'blocked',
  MALFORMED_FUNCTION_CALL: 'malformed',
  MALFORMED_RESPONSE: 'malformed',
  UNEXPECTED_TOOL_CALL: 'malformed',
  TOO_MANY_TOOL_CALLS: 'malformed',
};

/** Maps the API's reasons to an ending. Case matters: the reasons are constants. */
export function parseAnswerEnding({ finishReason, blockReason }: EndOfStream): AnswerEnding {
  if (blockReason !== null) {
    return { type: 'blocked', what: 'prompt', reason: blockReason };
  }
  if (finishReason === null) {
    return { type: 'unfinished' };
  }
  const known = Object.hasOwn(finishReasons, finishReason) ? finishReasons[finishReason] : undefined;
  switch (known) {
    case 'complete':
    case 'output-limit':
      return { type: known };
    case 'blocked':
      return { type: 'blocked', what: 'answer', reason: finishReason };
    case 'malformed':
      return { type: 'malformed', reason: finishReason };
    default:
      // Every image reason (IMAGE_SAFETY and so on) is a filter.
      return finishReason.startsWith('IMAGE_')
        ? { type: 'blocked', what: 'answer', reason: finishReason }
        : { type: 'unknown', reason: finishReason };
  }
}
