import { ErrorCode, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { RpcError } from '../../../input/request-params.ts';
import {
  type Arrival,
  type GivenUp,
  type IncomingRequest,
  type OpenRequest,
  PendingRequest,
  type RequestCarrier,
} from './ledger-entry.ts';

export type ConnectionRequestsOptions = {
  readonly ledger: Pick<PendingRequests, 'note' | 'cancel'>;
  /** Distinguishes this client from all others. Null if nothing does: then its notifications cancel nothing. */
  readonly client: string | null;
  /** Called whenever the last request on the page has ended. */
  readonly onQuiet?: () => void;
  /** Called once, however the page is closed. */
  readonly onClose?: () => void;
};

/**
 * The requests of one MCP server. An id is taken until its request is answered or its handler has ended: a second request with the
 * same id would be indistinguishable from the first.
 */
export class ConnectionRequests {
  readonly client: string | null;
  readonly #options: ConnectionRequestsOptions;
  /** By number. */
  readonly #entries = new Map<RequestId, PendingRequest>();
  /** Requests whose ids are taken. */
  readonly #byId = new Map<RequestId, PendingRequest>();
  #carrier: RequestCarrier | null = null;
  #lastNumber = 0;
  #isClosed = false;

  constructor(options: ConnectionRequestsOptions) {
    this.client = options.client;
    this.#options = options;
  }

  /** The requests whose handlers have not ended, including cancelled ones. */
  get size(): number {
    return this.#entries.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a request other than a tool call waits: those are answered within moments. */
  get awaitsQuickAnswers(): boolean {
    return [...this.#byId.values()].some(({ method, isWaiting }) => isWaiting && method !== 'tools/call');
  }

  isTaken(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  /** Sets the transport that delivers the requests and sends the answers. */
  attach(carrier: RequestCarrier): void {
    this.#carrier = carrier;
  }

  /**
   * Opens requests that the transport is about to deliver. None of their ids may be taken. They are cancelled when the connection is
   * aborted.
   */
  open(requests: readonly IncomingRequest[], connection: AbortSignal | null): Arrival {
    const arrival: Arrival = {
      connection,
      entries: [],
      onClosed: () => this.#abortAll(arrival.entries, 'cancelled'),
    };
    for (const request of requests) {
      this.#add(request, arrival);
    }
    // One listener for all of them: Node warns about more than ten on a signal, and a batch may hold a hundred.
    connection?.addEventListener('abort', arrival.onClosed, { once: true });
    if (connection?.aborted === true) {
      arrival.onClosed();
    }
    if (this.#isClosed) {
      this.#abortAll(arrival.entries, 'closed');
    }
    return arrival;
  }

  /** Forgets the requests that the transport has refused to deliver. */
  dropUndelivered({ entries }: Arrival): void {
    for (const entry of entries.filter(({ state }) => state === 'arriving')) {
      this.#remove(entry);
    }
  }

  /**
   * Notes that a request goes to the server. Returns the number by which the server knows it, or why the server must not get it:
   * another request has its id, or it was cancelled before.
   */
  deliver({ id, method, params }: JSONRPCRequest): number | 'duplicate' | 'cancelled' {
    const entry = this.#byId.get(id) ?? this.open([{ id, method }], null).entries[0];
    if (entry === undefined || entry.state !== 'arriving') {
      return 'duplicate';
    }
    entry.state = 'delivered';
    entry.progressToken = params?._meta?.progressToken;
    if (entry.isWaiting) {
      return entry.number;
    }
    this.#giveUp(entry);
    this.#remove(entry);
    return 'cancelled';
  }

  /** Cancels the request that the client of this page names, here and on its other pages. `cause` becomes the reason of its signal. */
  cancel(id: RequestId, cause?: Error): void {
    if (this.client !== null) {
      this.#options.ledger.cancel(this.client, id, cause);
    }
  }

  /** Cancels a request of this page. Does nothing for an unknown id. */
  cancelOwn(id: RequestId, cause?: Error): void {
    const entry = this.#byId.get(id);
    if (entry !== undefined) {
      this.#abort(entry, 'cancelled', cause);
    }
  }

  /** Runs the handler of a request. Rejects with an `RpcError` if the request is over before its handler begins. */
  async run<Result>(number: RequestId, work: (request: OpenRequest) => Promise<Result>): Promise<Result> {
    const entry = this.#entries.get(number);
    if (entry === undefined || !entry.isWaiting) {
      throw new RpcError(ErrorCode.ConnectionClosed, 'The request was cancelled');
    }
    const { id, method, signal } = entry;
    const notify = createNotifier(entry, this.#carrier);
    const running = work({ id, method, signal, notify, takesAnswers: this.#carrier?.takesAnswers !== false });
    entry.work = running;
    try {
      return await running;
    } finally {
      if (this.#isClosed) {
        // The SDK's server sends no more answers, which would note the end.
        this.#remove(entry);
      }
    }
  }

  /** Notes that a request is answered. Returns its id, or null if no one waits for the answer. */
  settle(number: RequestId): RequestId | null {
    const entry = this.#entries.get(number);
    if (entry === undefined) {
      return null;
    }
    const id = entry.isWaiting ? entry.id : null;
    this.#remove(entry);
    return id;
  }

  /** The id of a request whose client can still get messages for it, else null. */
  idOf(number: RequestId): RequestId | null {
    const entry = this.#entries.get(number);
    return entry?.state === 'delivered' ? entry.id : null;
  }

  /** Resolves when every running handler has ended, including cancelled ones. Never rejects. */
  async callsEnded(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ work }) => work));
  }

  /** Aborts the running requests with an error to the client. Later requests are not run. */
  close(): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    const entries = [...this.#entries.values()];
    this.#abortAll(entries, 'closed');
    for (const entry of entries.filter(({ state, work }) => state !== 'arriving' && work === null)) {
      this.#remove(entry);
    }
    this.#options.onClose?.();
  }

  #add({ id, method }: IncomingRequest, arrival: Arrival): void {
    if (this.#entries.size === 0) {
      this.#options.ledger.note(this, false);
    }
    this.#lastNumber += 1;
    const entry = new PendingRequest({ number: this.#lastNumber, id, method, arrival });
    arrival.entries.push(entry);
    this.#entries.set(entry.number, entry);
    this.#byId.set(id, entry);
  }

  #remove(entry: PendingRequest): void {
    if (!this.#entries.delete(entry.number)) {
      return;
    }
    this.#freeId(entry);
    entry.state = 'ended';
    const { connection, entries, onClosed } = entry.arrival;
    if (connection !== null && entries.every(({ state }) => state === 'ended')) {
      connection.removeEventListener('abort', onClosed);
    }
    if (this.#entries.size === 0) {
      this.#options.ledger.note(this, true);
      this.#options.onQuiet?.();
    }
  }

  #freeId(entry: PendingRequest): void {
    if (this.#byId.get(entry.id) === entry) {
      this.#byId.delete(entry.id);
    }
  }

  #abortAll(entries: readonly PendingRequest[], reason: GivenUp['reason']): void {
    for (const entry of entries) {
      this.#abort(entry, reason);
    }
  }

  #abort(entry: PendingRequest, reason: GivenUp['reason'], cause?: Error): void {
    if (!entry.isWaiting) {
      return;
    }
    // The handler first: it may have a last message for the client, such as the withdrawal of its question.
    entry.abort(reason, cause);
    if (entry.state === 'delivered') {
      this.#giveUp(entry);
    }
  }

  #giveUp(entry: PendingRequest): void {
    entry.state = 'given-up';
    if (this.#carrier?.giveUp === undefined) {
      this.#freeId(entry);
    } else {
      this.#carrier.giveUp(entry.asGivenUp);
    }
  }
}

/** Sends the progress of a request to its client until the request is over. Null if the client did not ask for progress. */
function createNotifier(entry: PendingRequest, carrier: RequestCarrier | null): OpenRequest['notify'] {
  const { progressToken, id } = entry;
  if (progressToken === undefined) {
    return null;
  }
  return async (progress) => {
    if (entry.state === 'delivered') {
      const params = { ...progress, progressToken };
      const notification = { jsonrpc: '2.0', method: 'notifications/progress', params } as const;
      await carrier?.send(notification, { relatedRequestId: id });
    }
  };
}

/**
 * All running requests of one endpoint, or of one stdio connection: who sent each, how it is cancelled, where its progress goes and
 * when it has ended. Each MCP server has a page in it.
 */
export class PendingRequests {
  /** Pages with requests: a quiet page costs the ledger nothing. */
  readonly #pages = new Set<ConnectionRequests>();

  openPage(options: Omit<ConnectionRequestsOptions, 'ledger'>): ConnectionRequests {
    return new ConnectionRequests({ ...options, ledger: this });
  }

  /** For the pages themselves, when their first request comes and when the last one has ended. */
  note(page: ConnectionRequests, isQuiet: boolean): void {
    if (isQuiet) {
      this.#pages.delete(page);
    } else {
      this.#pages.add(page);
    }
  }

  /** Cancels this client's requests with this id, on any of its pages. */
  cancel(client: string, id: RequestId, cause?: Error): void {
    for (const page of this.#pages) {
      if (page.client === client) {
        page.cancelOwn(id, cause);
      }
    }
  }

  /** Resolves when every running handler has ended, including cancelled ones. Never rejects. */
  async callsEnded(): Promise<void> {
    await Promise.all([...this.#pages].map((page) => page.callsEnded()));
  }

  /** Aborts the running requests with an error to the waiting clients. */
  close(): void {
    for (const page of [...this.#pages]) {
      page.close();
    }
  }
}
