import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ProgressToken, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Requests that came together, in one HTTP request or alone: they are cancelled together when their connection closes. */
export type Arrival = {
  readonly connection: AbortSignal | null;
  readonly entries: PendingRequest[];
  readonly onClosed: () => void;
};

/** The ledger's record of one request, from its arrival until its handler has ended. */
export class PendingRequest {
  /** The id under which the SDK's server knows the request. No other request of the page has ever had it. */
  readonly number: number;
  readonly id: RequestId;
  readonly method: string;
  readonly arrival: Arrival;
  /** A request arrives, goes to the SDK's server, may be given up before it is answered, and ends with its handler. */
  state: 'arriving' | 'delivered' | 'given-up' | 'ended' = 'arriving';
  progressToken: ProgressToken | undefined;
  /** Settles when the handler has ended; null until it begins. */
  work: Promise<unknown> | null = null;
  readonly #controller = new AbortController();
  #reason: GivenUp['reason'] = 'cancelled';

  constructor(options: Pick<PendingRequest, 'number' | 'id' | 'method' | 'arrival'>) {
    this.number = options.number;
    this.id = options.id;
    this.method = options.method;
    this.arrival = options.arrival;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the client still waits for the answer. */
  get isWaiting(): boolean {
    return this.state !== 'ended' && !this.signal.aborted;
  }

  get asGivenUp(): GivenUp {
    const isAlone = !this.arrival.entries.some((other) => other !== this && other.isWaiting);
    return { id: this.id, reason: this.#reason, isAlone };
  }

  /** `cause` becomes the reason of the signal. */
  abort(reason: GivenUp['reason'], cause?: Error): void {
    this.#reason = reason;
    this.#controller.abort(cause);
  }
}

/** Why a request with a taken id is refused. */
export const duplicateIdReason = 'Invalid request: a request with this id is being answered';

/** The parts of a client's request that the ledger needs. */
export type IncomingRequest = {
  readonly id: RequestId;
  readonly method: string;
};

/** A running request, as its handler sees it. */
export type OpenRequest = IncomingRequest & {
  /**
   * Aborted when the client cancels the request or its connection closes, with a `ClientTimedOut` as its reason if the client says that it ran out of
   * time. Nothing is sent for the request from then on.
   */
  readonly signal: AbortSignal;
  /**
   * Reports progress to the client; null if it did not ask for it. Resolves when the connection can take more, and rejects if it is
   * closed.
   */
  readonly notify: ((progress: RequestProgress) => Promise<void>) | null;
  /** Whether the client's answer to a question can reach the request. */
  readonly takesAnswers: boolean;
};

type RequestProgress = {
  readonly progress: number;
  readonly message: string;
};

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
   * Releases what the transport holds for a request. A transport with this method keeps the id of a cancelled request taken until the
   * handler has ended; without it the id is free at once.
   */
  giveUp?: (request: GivenUp) => void;
  /** False if the client's answers cannot reach the request that asked. True if missing. */
  readonly takesAnswers?: boolean;
};
