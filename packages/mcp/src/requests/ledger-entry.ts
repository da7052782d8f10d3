import type { ProgressToken, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { GivenUp } from './request-carrier.ts';

/** Requests that came together, in one HTTP request or alone: they are cancelled together when their connection closes. */
export type Arrival = {
  readonly connection: AbortSignal | null;
  readonly entries: LedgerEntry[];
  readonly onClosed: () => void;
};

/** What the ledger knows of one request, from its arrival until its handler has ended. */
export class LedgerEntry {
  /** The id under which the SDK's server knows the request. No other request of the page has ever had it. */
  readonly number: number;
  readonly id: RequestId;
  readonly method: string;
  readonly arrival: Arrival;
  /** A request arrives, is handed to the SDK's server, may be given up before it is answered, and ends with its handler. */
  state: 'arriving' | 'delivered' | 'given-up' | 'ended' = 'arriving';
  progressToken: ProgressToken | undefined;
  /** Settles when the handler has ended; null until it begins. */
  work: Promise<unknown> | null = null;
  readonly #controller = new AbortController();
  #reason: GivenUp['reason'] = 'cancelled';

  constructor(options: Pick<LedgerEntry, 'number' | 'id' | 'method' | 'arrival'>) {
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

  abort(reason: GivenUp['reason']): void {
    this.#reason = reason;
    this.#controller.abort();
  }
}

/** Why a request is refused whose id is taken. */
export const duplicateIdReason = 'Invalid request: a request with this id is being answered';
