import type { AskAnswer, AskFailure } from '../answers/ask-result.ts';

export type ChatResult =
  | {
      readonly ok: true;
      readonly sessionId: string;
      readonly answer: AskAnswer;
      /** Why the exchange could not be kept, in words for a user; null when it was. */
      readonly notKept: string | null;
    }
  /** A conversation whose message failed is as it was before. Null where there is none. */
  | { readonly ok: false; readonly sessionId: string | null; readonly failed: AskFailure };
