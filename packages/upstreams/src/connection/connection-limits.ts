/** The time and memory that one server may take. */
export type ConnectionLimits = {
  /** From the process start, or the first request, to the answer to `initialize`. */
  readonly connectMs: number;
  /** For all pages of all lists. */
  readonly listMs: number;
  /** Ends a connection that had no request for this long. */
  readonly idleMs: number;
  /** Rereads changed lists at most once in this time. */
  readonly relistMs: number;
  /** For the user's answer to a question. */
  readonly questionMs: number;
  readonly maxMessageBytes: number;
  /** Concurrent calls of one server. */
  readonly maxCalls: number;
};

/** Each server's settings set the time limit of a call. */
export const defaultConnectionLimits: ConnectionLimits = {
  connectMs: 30_000,
  listMs: 10_000,
  idleMs: 600_000,
  relistMs: 1_000,
  questionMs: 300_000,
  // Images and PDFs arrive as base64 in one message.
  maxMessageBytes: 16_000_000,
  maxCalls: 64,
};

/** The failure of a call whose answer exceeded `maxBytes`. */
export function describeTooLong(maxBytes: number): string {
  const size = maxBytes < 1_000_000 ? `${Math.floor(maxBytes / 1_000)} kB` : `${Math.floor(maxBytes / 1_000_000)} MB`;
  return `The answer was longer than ${size} and was not read.`;
}
