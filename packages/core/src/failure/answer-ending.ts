/** How the model ended the answer of a run. Only the last request of a run counts: those before it asked for tools. */
export type AnswerEnding =
  | { readonly type: 'complete' }
  /** The model reached the limit of what it writes at once: the text is good, and stops in the middle. */
  | { readonly type: 'output-limit' }
  /** A filter of Google's stopped the answer, or refused the prompt as a whole. `reason` is the API's word, such as `SAFETY`. */
  | { readonly type: 'blocked'; readonly what: 'answer' | 'prompt'; readonly reason: string }
  /** The model wrote a call of a tool that could not be read. `reason` is the API's word. */
  | { readonly type: 'malformed'; readonly reason: string }
  /** The stream came to its end without a reason. */
  | { readonly type: 'unfinished' }
  /** The API gave a reason that this version does not know. */
  | { readonly type: 'unknown'; readonly reason: string };

/** The endings of an answer that is delivered. */
export type DeliveredEnding = Extract<AnswerEnding, { readonly type: 'complete' | 'output-limit' | 'unknown' }>;

/** Whether an answer that ended so is delivered; otherwise it is a failure, with the text as what came before it. */
export function isDelivered(ending: AnswerEnding): ending is DeliveredEnding {
  return ending.type === 'complete' || ending.type === 'output-limit' || ending.type === 'unknown';
}

/** What the API said at the end of a stream that came to its end. Null where it did not say it. */
export type EndOfStream = {
  /** `candidates[0].finishReason`. */
  readonly finishReason: string | null;
  /** `promptFeedback.blockReason`. */
  readonly blockReason: string | null;
};

/** `FinishReason` of the Gemini API (`@google/genai` 3.1.0), without those of images. */
const finishReasons: Readonly<Record<string, 'complete' | 'output-limit' | 'blocked' | 'malformed'>> = {
  STOP: 'complete',
  MAX_TOKENS: 'output-limit',
  // The end of a segment of a long output, of which the next one was not asked for.
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

/** Reads the words of the API. Case counts: they are constants. */
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
      // All reasons of images that there are (IMAGE_SAFETY and so on) are filters.
      return finishReason.startsWith('IMAGE_')
        ? { type: 'blocked', what: 'answer', reason: finishReason }
        : { type: 'unknown', reason: finishReason };
  }
}
