import type { AskAnswer, AskFailure } from '../answers/ask-result.ts';

export type ChatResult =
  | {
      readonly ok: true;
      readonly sessionId: string;
      readonly answer: AskAnswer;
      /** Why the exchange could not be saved, as a text for a user; null if it was. */
      readonly notKept: string | null;
      /** As in `SearchResult`, for an answer that rests on a search. */
      readonly sourceLines?: readonly string[] | undefined;
    }
  /** A conversation whose message failed is unchanged. The id is null if there is no conversation. */
  | { readonly ok: false; readonly sessionId: string | null; readonly failed: AskFailure };
