import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { McpCaller, McpHttpOptions, SessionEndpoint, SessionEndpointOptions } from '../../mcp-http-options.ts';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import { PendingRequests } from '../requests/connection-requests.ts';
import type { IncomingRequest } from '../requests/ledger-entry.ts';
import { HttpTransport } from './http-transport.ts';
import { readBody, refuseClosing, refuseDuplicate, refuseFull, refuseRpc, refuseUnknownSession } from './read-body.ts';

/** The minimum time between two searches for expired sessions. */
const sweepIntervalMs = 1_000;

/** The endpoint with sessions. `extend` changes the handlers of each session's server. */
export class BoundSessions implements SessionEndpoint {
  readonly #options: SessionEndpointOptions;
  readonly #extend: Extend | undefined;
  readonly #ledger = new PendingRequests();
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

/** Clients that probe for a newer revision get this too, before they fall back to `initialize`. */
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

/** The part of a session that the table needs to know. */
export type HeldSession = {
  readonly id: string;
  readonly binding: string;
  /** Since when nothing of it has run or been open. Null while something does. */
  readonly idleSinceMs: number | null;
  /** Ends the session, and aborts its running calls. */
  close(): Promise<void>;
};

/** The sessions of all callers. A caller finds only its own, and can displace only its own or those of a caller that holds more. */
export class SessionTable<Session extends HeldSession> {
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();

  constructor({ maxSessions }: { readonly maxSessions: number }) {
    this.#maxSessions = maxSessions;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Null for a session of another binding, as for an unknown one. */
  find(id: string, binding: string): Session | null {
    const session = this.#sessions.get(id);
    return session?.binding === binding ? session : null;
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** Forgets a session that is over. */
  forget(session: Session): void {
    this.#sessions.delete(session.id);
  }

  /** Ends another session if this binding needs room. False if none may be displaced. */
  makeRoom(binding: string): boolean {
    if (this.size < this.#maxSessions) {
      return true;
    }
    const dispensable = this.findDispensable(binding);
    void dispensable?.close();
    return dispensable !== null;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.all.map((session) => session.close()));
  }

  /**
   * The session to displace when a caller of this binding begins one and the table is full: the longest idle one of the binding that
   * holds most, the newcomer counted. Null if none may go: bindings with fewer sessions than the caller's are safe.
   */
  findDispensable(binding: string): Session | null {
    const counts = new Map([[binding, 1]]);
    for (const session of this.#sessions.values()) {
      counts.set(session.binding, (counts.get(session.binding) ?? 0) + 1);
    }
    const countOf = (session: Session): number => counts.get(session.binding) ?? 0;
    const ownCount = counts.get(binding) ?? 0;
    const candidates = this.all.filter((session) => session.idleSinceMs !== null && countOf(session) >= ownCount);
    return candidates.reduce<Session | null>((best, session) => {
      const isBetter =
        best === null ||
        countOf(session) > countOf(best) ||
        (countOf(session) === countOf(best) && (session.idleSinceMs ?? 0) < (best.idleSinceMs ?? 0));
      return isBetter ? session : best;
    }, null);
  }
}

type HttpSessionOptions = McpHttpOptions & {
  readonly ledger: PendingRequests;
  /** Who begins it. */
  readonly caller: McpCaller;
  readonly extend: Extend | undefined;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
};

/** A POST whose body has been read. */
type ReadPost = {
  readonly request: Request;
  readonly body: unknown;
  /** The body's requests with valid ids. */
  readonly requests: readonly IncomingRequest[];
};

/** One client's session over Streamable HTTP: a server of its own, and its running requests. */
class HttpSession implements HeldSession {
  readonly id: string = globalThis.crypto.randomUUID();
  readonly binding: string;
  readonly #options: HttpSessionOptions;
  readonly #page: ConnectionRequests;
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
    this.#server = createMcpServer(
      { ...options, ownerOf: () => caller.owner, surface: caller.surface },
      { extend, page: this.#page },
    );
    this.#transport = new HttpTransport({ page: this.#page, sessionId: this.id, answersAsJson: false });
  }

  get idleSinceMs(): number | null {
    return this.#page.size === 0 && this.#openStreams === 0 ? this.#usedAtMs : null;
  }

  /** Call once, before anything else. */
  open(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  /** Once `signal` is aborted, the calls that run for the POST are cancelled. */
  async post({ request, body, requests }: ReadPost, signal: AbortSignal): Promise<Response> {
    const duplicate = requests.find(({ id }) => this.#page.isTaken(id));
    if (duplicate !== undefined) {
      return refuseDuplicate(duplicate.id);
    }
    this.#noteUse();
    return this.#transport.post(request, body, this.#page.open(requests, signal));
  }

  /** Opens the stream for unsolicited messages, which lasts until `signal` is aborted or the session ends. */
  async get(request: Request, signal: AbortSignal): Promise<Response> {
    this.#noteUse();
    const response = await this.#transport.answer(request);
    if (response.ok && !signal.aborted) {
      this.#openStreams += 1;
      signal.addEventListener('abort', () => this.#noteClosedStream(), { once: true });
      // No one received the messages sent while no stream was open, or on a broken one.
      this.#server.repeatNotices();
    }
    return response;
  }

  /** Ends the session as its client asks. */
  delete(request: Request): Promise<Response> {
    return this.#transport.answer(request);
  }

  /** Ends the session, and aborts its running calls. */
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
