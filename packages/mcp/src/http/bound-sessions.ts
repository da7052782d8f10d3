import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Extend } from '../create-mcp-server.ts';
import { RequestLedger } from '../requests/request-ledger.ts';
import { HttpSession, type ReadPost } from './http-session.ts';
import type { McpCaller } from './mcp-caller.ts';
import { readBody } from './read-body.ts';
import { refuseClosing, refuseFull, refuseRpc, refuseUnknownSession } from './rpc-refusal.ts';
import type { SessionEndpoint, SessionEndpointOptions } from './session-endpoint.ts';
import { SessionTable } from './session-table.ts';

/** How often, at most, all sessions are looked through for those whose time is over. */
const sweepIntervalMs = 1_000;

/** The endpoint with sessions. `extend` changes what the server of each session answers. */
export class BoundSessions implements SessionEndpoint {
  readonly #options: SessionEndpointOptions;
  readonly #extend: Extend | undefined;
  readonly #ledger = new RequestLedger();
  readonly #table: SessionTable<HttpSession>;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: SessionEndpointOptions, extend?: Extend) {
    this.#options = options;
    this.#extend = extend;
    this.#table = new SessionTable(options);
  }

  get load(): { readonly sessions: number } {
    this.#sweep();
    return { sessions: this.#table.size };
  }

  async post(request: Request, body: unknown, caller: McpCaller): Promise<Response> {
    const read = readBody(body, request.headers.get('mcp-protocol-version'));
    if (read.type === 'refused') {
      return refuseRpc(read.refusal);
    }
    const post = { request, body, requests: read.requests };
    if (request.headers.has('mcp-session-id')) {
      const session = this.#find(request, caller);
      return session?.post(post, caller.signal) ?? refuseUnknownSession();
    }
    return read.isInitialize ? this.#begin(post, caller) : refuseMissingSession(request);
  }

  async get(request: Request, caller: McpCaller): Promise<Response> {
    if (!request.headers.has('mcp-session-id')) {
      return refuseMissingSession(request);
    }
    return this.#find(request, caller)?.get(request, caller.signal) ?? refuseUnknownSession();
  }

  async delete(request: Request, caller: McpCaller): Promise<Response> {
    if (!request.headers.has('mcp-session-id')) {
      return refuseMissingSession(request);
    }
    return this.#find(request, caller)?.delete(request) ?? refuseUnknownSession();
  }

  callsEnded(): Promise<void> {
    return this.#ledger.callsEnded();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#table.closeAll();
  }

  #find(request: Request, { binding }: McpCaller): HttpSession | null {
    this.#sweep();
    const session = this.#table.find(request.headers.get('mcp-session-id') ?? '', binding);
    if (session === null || !this.#isOver(session)) {
      return session;
    }
    void session.close();
    return null;
  }

  async #begin(post: ReadPost, caller: McpCaller): Promise<Response> {
    if (this.#isClosed) {
      return refuseClosing();
    }
    this.#sweep();
    if (!this.#table.makeRoom(caller.binding)) {
      return refuseFull();
    }
    const onEnd = (): void => this.#table.forget(session);
    const [ledger, extend] = [this.#ledger, this.#extend];
    const session = new HttpSession({ ...this.#options, ledger, caller, extend, onEnd });
    this.#table.add(session);
    await session.open();
    const response = await session.post(post, caller.signal);
    if (!response.ok) {
      await session.close();
    }
    return response;
  }

  #sweep(): void {
    const nowMs = this.#options.clock.now();
    if (Math.abs(nowMs - this.#sweptAtMs) < sweepIntervalMs) {
      return;
    }
    this.#sweptAtMs = nowMs;
    for (const session of this.#table.all.filter((held) => this.#isOver(held))) {
      void session.close();
    }
  }

  #isOver({ idleSinceMs }: HttpSession): boolean {
    return idleSinceMs !== null && this.#options.clock.now() - idleSinceMs >= this.#options.idleMs;
  }
}

/** Also what a client hears that probes for a newer revision, before it falls back to `initialize`. */
function refuseMissingSession(request: Request): Response {
  const version = request.headers.get('mcp-protocol-version');
  const isUnknown = version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  return refuseRpc({
    status: 400,
    message: isUnknown
      ? `Unsupported protocol version (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`
      : 'A session begins with initialize; every other request needs the header Mcp-Session-Id',
  });
}
