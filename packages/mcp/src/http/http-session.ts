import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createCallerServer } from './create-caller-server.ts';
import { isRequestId } from './is-request-id.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import { refuseDuplicate } from './rpc-refusal.ts';
import type { HeldSession } from './session-table.ts';
import { SessionTransport } from './session-transport.ts';

export type HttpSessionOptions = McpHttpOptions & {
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
  /** Of the requests in the body. */
  readonly ids: readonly unknown[];
};

/** One client's session over Streamable HTTP: a server of its own, and what is under way. */
export class HttpSession implements HeldSession {
  readonly id: string = globalThis.crypto.randomUUID();
  readonly binding: string;
  readonly #options: HttpSessionOptions;
  readonly #server: McpServer;
  readonly #transport: SessionTransport;
  /** Ids that the SDK has taken, and delivers in a moment. */
  readonly #arriving = new Set<RequestId>();
  #openStreams = 0;
  #usedAtMs: number;

  constructor(options: HttpSessionOptions) {
    const { clock, caller, extend, onEnd } = options;
    this.binding = caller.binding;
    this.#options = options;
    this.#usedAtMs = clock.now();
    this.#server = createCallerServer(options, caller, extend);
    this.#transport = new SessionTransport({ sessionId: this.id, onQuiet: () => this.#noteUse() });
    this.#transport.onclose = onEnd;
  }

  get idleSinceMs(): number | null {
    const isIdle = this.#transport.isQuiet && this.#arriving.size === 0 && this.#openStreams === 0;
    return isIdle ? this.#usedAtMs : null;
  }

  /** To be called once, before anything else. */
  open(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  async post({ request, body, ids }: ReadPost, signal: AbortSignal): Promise<Response> {
    const usable = ids.filter(isRequestId);
    const duplicate = usable.find((id) => this.#arriving.has(id) || this.#transport.isTaken(id));
    if (duplicate !== undefined) {
      return refuseDuplicate(duplicate);
    }
    this.#noteUse();
    for (const id of usable) {
      this.#arriving.add(id);
    }
    const response = await this.#transport.post(request, body, signal);
    for (const id of usable) {
      this.#arriving.delete(id);
    }
    return response;
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

  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void> {
    return this.#server.callsEnded();
  }

  #noteClosedStream(): void {
    this.#openStreams -= 1;
    this.#noteUse();
  }

  #noteUse(): void {
    this.#usedAtMs = this.#options.clock.now();
  }
}
