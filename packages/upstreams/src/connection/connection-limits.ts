/** How much time and room one server may take. */
export type ConnectionLimits = {
  /** From the start of a process, or the first request, to the answer to `initialize`. */
  readonly connectMs: number;
  /** For all pages of all lists. */
  readonly listMs: number;
  /** A connection without a request for this long is ended. */
  readonly idleMs: number;
  /** Changed lists are read again at most once in this time. */
  readonly relistMs: number;
  /** For an answer of the user. */
  readonly questionMs: number;
  readonly maxMessageBytes: number;
  /** Calls of one server at a time. */
  readonly maxCalls: number;
};

/** The time limit of a call is a setting of each server. */
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

/** The failure of a call whose answer was too long to be read. */
export function describeTooLong(maxBytes: number): string {
  const size = maxBytes < 1_000_000 ? `${Math.floor(maxBytes / 1_000)} kB` : `${Math.floor(maxBytes / 1_000_000)} MB`;
  return `The answer was longer than ${size} and was not read.`;
}
