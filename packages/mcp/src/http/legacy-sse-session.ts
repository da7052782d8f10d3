import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import type { LedgerPage } from '../requests/ledger-page.ts';
import type { RequestLedger } from '../requests/request-ledger.ts';
import { createCallerServer } from './create-caller-server.ts';
import { LegacySseTransport } from './legacy-sse-transport.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import type { HeldSession } from './session-table.ts';

/** Each is answered on the one stream, long after its own HTTP request is over: nothing else limits how many there are. */
const maxOpenRequests = 64;

export type LegacySseSessionOptions = McpHttpOptions & {
  readonly idleMs: number;
  readonly ledger: RequestLedger;
  /** Who opened the stream. */
  readonly caller: McpCaller;
  readonly extend: Extend | undefined;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
};

/** One client's session over HTTP with SSE: it lives as long as its stream. */
export class LegacySseSession implements HeldSession {
  readonly id: string = globalThis.crypto.randomUUID();
  readonly binding: string;
  readonly transport: LegacySseTransport;
  readonly #options: LegacySseSessionOptions;
  readonly #page: LedgerPage;
  readonly #server: McpServer;
  #usedAtMs: number;

  constructor(options: LegacySseSessionOptions) {
    const { clock, ledger, caller, extend } = options;
    this.binding = caller.binding;
    this.#options = options;
    this.#usedAtMs = clock.now();
    this.#page = ledger.openPage({ client: this.id, onQuiet: () => this.noteUse(), onClose: () => this.#noteEnd() });
    this.#server = createCallerServer(options, caller, { extend, page: this.#page });
    this.transport = new LegacySseTransport({ clock, endpoint: `/messages?sessionId=${this.id}` });
  }

  isTaken(id: RequestId): boolean {
    return this.#page.isTaken(id);
  }

  /** Whether the client has to read, or to wait for answers, before it may send more. */
  get isFull(): boolean {
    return this.transport.isBehind || this.#page.size >= maxOpenRequests;
  }

  /** Its stream is open all the time: what counts is that for `idleMs` nothing was asked on it. */
  get idleSinceMs(): number | null {
    const { clock, idleMs } = this.#options;
    const isIdle = this.#page.size === 0 && clock.now() - this.#usedAtMs >= idleMs;
    return isIdle ? this.#usedAtMs : null;
  }

  /** To be called once, before anything else. Closes when the caller's request does. */
  async open(): Promise<void> {
    const { signal } = this.#options.caller;
    await this.#server.connect(this.transport);
    signal.addEventListener('abort', this.#closeUnheard, { once: true });
    if (signal.aborted) {
      this.#closeUnheard();
    }
  }

  noteUse(): void {
    this.#usedAtMs = this.#options.clock.now();
  }

  /** Ends the session, and aborts what runs. */
  close(): Promise<void> {
    return this.#server.close();
  }

  #noteEnd(): void {
    this.#options.caller.signal.removeEventListener('abort', this.#closeUnheard);
    this.#options.onEnd();
  }

  readonly #closeUnheard = (): void => void this.close();
}
