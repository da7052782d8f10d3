import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A request of a client, as far as the ledger has to know it. */
export type IncomingRequest = {
  readonly id: RequestId;
  readonly method: string;
};

/** A request that runs, as its handler sees it. */
export type OpenRequest = IncomingRequest & {
  /** Aborted when the client cancels the request or its connection closes. Nothing is sent for the request from then on. */
  readonly signal: AbortSignal;
  /**
   * Tells the client how far the request is; null where it did not ask. Resolves when the connection can take more, and rejects
   * where it is closed.
   */
  readonly notify: ((progress: RequestProgress) => Promise<void>) | null;
  /** Whether the client's answer to a question would find its way to the request. */
  readonly takesAnswers: boolean;
};

type RequestProgress = {
  readonly progress: number;
  readonly message: string;
};
