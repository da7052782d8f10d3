import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A request that is not answered any more. */
export type GivenUp = {
  readonly id: RequestId;
  readonly reason: 'cancelled' | 'closed';
  /** Whether no other request that came with it still waits for an answer. */
  readonly isAlone: boolean;
};

/** A transport whose requests are in the ledger. */
export type RequestCarrier = Transport & {
  /**
   * Ends what the transport holds for a request. A transport that has this keeps the id of a cancelled request taken until the
   * handler has ended; without it the id is free at once.
   */
  giveUp?: (request: GivenUp) => void;
  /** False where what the client answers to the server cannot find its way to the request that asked. True when it is missing. */
  readonly takesAnswers?: boolean;
};
