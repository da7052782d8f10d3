/** How long and how much the server bears with a connection before it has a request. */
export type HttpLimits = {
  /** Connections at one time; beyond that each new one displaces an older one, or is closed. */
  readonly maxConnections: number;
  /** Until the last header has come, from the first byte or the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** Until the last byte of the body has come. How long an answer takes is no concern here. */
  readonly requestTimeoutMs: number;
  /** How long nothing of what is to be sent may be taken. A reader that is merely slow has all the time it wants. */
  readonly stalledTimeoutMs: number;
  /** How long a connection may lie idle between two requests. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** After which a connection is closed, so that none lives for ever. */
  readonly maxRequestsPerSocket: number;
  /** How often the first two times are looked at. */
  readonly checkIntervalMs: number;
};

export const defaultHttpLimits: HttpLimits = {
  maxConnections: 1_024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  stalledTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  maxHeaderBytes: 8_192,
  maxRequestsPerSocket: 1_000,
  checkIntervalMs: 1_000,
};
