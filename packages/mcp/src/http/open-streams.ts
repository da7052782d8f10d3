import { ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Extend } from '../create-mcp-server.ts';
import { findInvalidInitialize } from '../invalid-initialize.ts';
import { RequestLedger } from '../requests/request-ledger.ts';
import type { LegacySseEndpoint, LegacySseEndpointOptions } from './legacy-sse-endpoint.ts';
import { LegacySseSession } from './legacy-sse-session.ts';
import type { McpCaller } from './mcp-caller.ts';
import { refuseClosing, refuseDuplicate, refuseFull, refuseRpc, refuseUnknownSession } from './rpc-refusal.ts';
import { SessionTable } from './session-table.ts';

/** The endpoint of HTTP with SSE. `extend` changes what the server of each stream answers. */
export class OpenStreams implements LegacySseEndpoint {
  readonly #options: LegacySseEndpointOptions;
  readonly #extend: Extend | undefined;
  readonly #ledger = new RequestLedger();
  readonly #table: SessionTable<LegacySseSession>;
  #isClosed = false;

  constructor(options: LegacySseEndpointOptions, extend?: Extend) {
    this.#options = options;
    this.#extend = extend;
    this.#table = new SessionTable(options);
  }

  get load(): { readonly sessions: number } {
    return { sessions: this.#table.size };
  }

  async get(request: Request, caller: McpCaller): Promise<Response> {
    if (!request.headers.get('accept')?.includes('text/event-stream')) {
      return refuseRpc({ status: 406, message: 'Not acceptable: the client must accept text/event-stream' });
    }
    if (this.#isClosed) {
      return refuseClosing();
    }
    if (!this.#table.makeRoom(caller.binding)) {
      return refuseFull();
    }
    const onEnd = (): void => this.#table.forget(session);
    const [ledger, extend] = [this.#ledger, this.#extend];
    const session = new LegacySseSession({ ...this.#options, ledger, caller, extend, onEnd });
    this.#table.add(session);
    await session.open();
    return new Response(session.transport.stream, {
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache, no-transform',
        'X-Accel-Buffering': 'no',
      },
    });
  }

  async post(request: Request, body: unknown, caller: McpCaller): Promise<Response> {
    const id = new URL(request.url).searchParams.get('sessionId');
    if (id === null) {
      return refuseRpc({ status: 400, message: 'The query must name the sessionId that the stream began with' });
    }
    const session = this.#table.find(id, caller.binding);
    return session === null ? refuseUnknownSession() : receive(session, body);
  }

  callsEnded(): Promise<void> {
    return this.#ledger.callsEnded();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#table.closeAll();
  }
}

function receive(session: LegacySseSession, body: unknown): Response {
  const parsed = JSONRPCMessageSchema.safeParse(body);
  const invalid = findInvalidInitialize(body);
  if (!parsed.success || invalid !== null) {
    const { id, code, reason } = invalid ?? notAMessage;
    return refuseRpc({ status: 400, id, code, message: reason });
  }
  const message = parsed.data;
  const isRequest = 'method' in message && 'id' in message;
  if (isRequest && session.isTaken(message.id)) {
    return refuseDuplicate(message.id);
  }
  if (isRequest && session.isFull) {
    const text = 'Too many requests wait for their answers, or the answers for their reader';
    return refuseRpc({ status: 503, id: message.id, message: text, headers: { 'Retry-After': '1' } });
  }
  session.noteUse();
  session.transport.receive(message);
  return new Response('Accepted', { status: 202 });
}

const notAMessage = {
  id: null,
  code: ErrorCode.InvalidRequest,
  reason: 'Invalid request: not one JSON-RPC 2.0 message',
} as const;
