import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import { PendingRequests } from '../requests/connection-requests.ts';
import type { IncomingRequest } from '../requests/ledger-entry.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpCaller, McpHttpOptions, SessionEndpoint, SessionEndpointOptions } from './mcp-http-options.ts';
import { readBody, refuseClosing, refuseDuplicate, refuseFull, refuseRpc, refuseUnknownSession } from './read-body.ts';

/** How often, at most, all sessions are looked through for those whose time is over. */
const sweepIntervalMs = 1_000;

/** The endpoint with sessions. `extend` changes what the server of each session answers. */
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

/** A session as far as its place among the others goes. */
export type HeldSession = {
  readonly id: string;
  readonly binding: string;
  /** Since when it could be missed least: nothing of it runs, and nothing of it is open. Null while something is. */
  readonly idleSinceMs: number | null;
  /** Ends it, and aborts what runs. */
  close(): Promise<void>;
};

/** The sessions of all callers. A caller finds its own alone, and can push out its own, or those of whoever holds more. */
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

  /** Null for a session of another binding, as for one that never was. */
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

  /** Lets another session go where there is no room for one of this binding. False where none may go. */
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
   * The session that has to go when a caller of this binding begins one and there is no room: the longest idle one of the
   * binding that holds most, the newcomer counted. Null where none may go: bindings that hold fewer than the caller's are safe.
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
  /** Those in the body whose ids can be used. */
  readonly requests: readonly IncomingRequest[];
};

/** One client's session over Streamable HTTP: a server of its own, and the requests that run. */
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
