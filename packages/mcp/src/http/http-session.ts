import type { Extend, McpServer } from '../create-mcp-server.ts';
import type { LedgerPage } from '../requests/ledger-page.ts';
import type { IncomingRequest } from '../requests/open-request.ts';
import type { RequestLedger } from '../requests/request-ledger.ts';
import { createCallerServer } from './create-caller-server.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import { refuseDuplicate } from './rpc-refusal.ts';
import type { HeldSession } from './session-table.ts';

export type HttpSessionOptions = McpHttpOptions & {
  readonly ledger: RequestLedger;
  /** Who begins it. */
  readonly caller: McpCaller;
  readonly extend: Extend | undefined;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
};

/** A POST whose body has been read. */
export type ReadPost = {
  readonly request: Request;
  readonly body: unknown;
  /** Those in the body whose ids can be used. */
  readonly requests: readonly IncomingRequest[];
};

/** One client's session over Streamable HTTP: a server of its own, and the requests that run. */
export class HttpSession implements HeldSession {
  readonly id: string = globalThis.crypto.randomUUID();
  readonly binding: string;
  readonly #options: HttpSessionOptions;
  readonly #page: LedgerPage;
  readonly #server: McpServer;
  readonly #transport: HttpTransport;
  #openStreams = 0;
  #usedAtMs: number;

  constructor(options: HttpSessionOptions) {
    const { clock, ledger, caller, extend, onEnd } = options;
    this.binding = caller.binding;
    this.#options = options;
    this.#usedAtMs = clock.now();
    this.#page = ledger.openPage({ client: this.id, onQuiet: () => this.#noteUse(), onClose: onEnd });
    this.#server = createCallerServer(options, caller, { extend, page: this.#page });
    this.#transport = new HttpTransport({ page: this.#page, sessionId: this.id, answersAsJson: false });
  }

  get idleSinceMs(): number | null {
    return this.#page.size === 0 && this.#openStreams === 0 ? this.#usedAtMs : null;
  }

  /** To be called once, before anything else. */
  open(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  /** Once `signal` is aborted, what runs for the POST is cancelled. */
  async post({ request, body, requests }: ReadPost, signal: AbortSignal): Promise<Response> {
    const duplicate = requests.find(({ id }) => this.#page.isTaken(id));
    if (duplicate !== undefined) {
      return refuseDuplicate(duplicate.id);
    }
    this.#noteUse();
    return this.#transport.post(request, body, this.#page.open(requests, signal));
  }

  /** Opens the stream of what the server says unasked, which lasts until `signal` is aborted or the session ends. */
  async get(request: Request, signal: AbortSignal): Promise<Response> {
    this.#noteUse();
    const response = await this.#transport.answer(request);
    if (response.ok && !signal.aborted) {
      this.#openStreams += 1;
      signal.addEventListener('abort', () => this.#noteClosedStream(), { once: true });
      // What was said while no stream was open, or on one that had broken, has reached nobody.
      this.#server.repeatNotices();
    }
    return response;
  }

  /** Ends the session as its client asks. */
  delete(request: Request): Promise<Response> {
    return this.#transport.answer(request);
  }

  /** Ends the session, and aborts what runs. */
  close(): Promise<void> {
    return this.#server.close();
  }

  #noteClosedStream(): void {
    this.#openStreams -= 1;
    this.#noteUse();
  }

  #noteUse(): void {
    this.#usedAtMs = this.#options.clock.now();
  }
}
