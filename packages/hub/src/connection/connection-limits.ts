/** What one server may take of time and room. */
export type ConnectionLimits = {
  /** From the start of a process, or the first request, to the answer to `initialize`. */
  readonly connectMs: number;
  /** For all pages of all lists. */
  readonly listMs: number;
  /** After so long without a request a connection is ended. */
  readonly idleMs: number;
  /** A list that has changed is read again, at most once in this time. */
  readonly relistMs: number;
  /** For an answer of the user. */
  readonly questionMs: number;
  readonly maxMessageBytes: number;
  /** Calls of one server at a time. */
  readonly maxCalls: number;
};

/** Of Gemini CLI's 600 s for everything only the one for a call is left, and that one is in the configuration of each server. */
export const defaultConnectionLimits: ConnectionLimits = {
  connectMs: 30_000,
  listMs: 10_000,
  idleMs: 600_000,
  relistMs: 1_000,
  questionMs: 300_000,
  // Images and PDFs come as base64 in one message.
  maxMessageBytes: 16_000_000,
  maxCalls: 64,
};
