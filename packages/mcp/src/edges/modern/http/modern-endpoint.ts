import { concealError, isRpcError } from '../../../handlers/conceal-error.ts';
import { errorCodes, isJsonObject, RpcError } from '../../../input/request-params.ts';
import type { McpCaller, McpHttpOptions } from '../../mcp-http-options.ts';
import { isRequestId, type RequestId, refusalOf } from '../../rpc-message.ts';
import { createModernServer, type ModernServer, type ModernServerParts } from '../create-modern-server.ts';
import {
  claimsModern,
  type Envelope,
  type ModernRequest,
  modernErrorCodes,
  modernVersions,
  readEnvelope,
  readVersion,
} from '../envelope.ts';
import { ListenPlaces } from '../listen.ts';
import { OpenQuestions } from '../open-questions.ts';
import { closedError, SuspendedRuns } from '../suspended-runs.ts';
import { Tasks } from '../tasks/tasks.ts';
import { checkHeaders, checkVersionHeader } from './check-headers.ts';
import { KeepAlive } from './keep-alive.ts';
import { ResponseStream } from './response-stream.ts';

/** Whether a POST is of a revision without handshake, by its body or by its header. */
export function isModern(headers: Headers, body: unknown): boolean {
  const version = headers.get('mcp-protocol-version')?.trim() ?? '';
  return modernVersions.includes(version) || (Array.isArray(body) ? body.some(claimsModern) : claimsModern(body));
}

/** Answers POST requests of the revision 2026-07-28. `extend` changes the handlers. */
export class ModernEndpoint {
  readonly #options: McpHttpOptions;
  readonly #parts: ModernServerParts;
  readonly #keepAlive: KeepAlive;
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: McpHttpOptions, extend?: ModernServerParts['extend']) {
    const { clock, jobs } = options;
    const runs = new SuspendedRuns({ clock, questions: new OpenQuestions(options) });
    const tasks = jobs === undefined ? null : new Tasks({ jobs, clock });
    this.#options = options;
    this.#keepAlive = new KeepAlive(clock);
    this.#parts = { extend, runs, tasks, listens: new ListenPlaces() };
  }

  /** Answers a POST whose body has been parsed. Resolves when the response begins. */
  async post(request: Request, body: unknown, caller: McpCaller): Promise<Response> {
    if (this.#isClosed) {
      return refuse(503, null, closedError());
    }
    const { jsonrpc, id, method, params } = isJsonObject(body) ? body : {};
    if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && !isRequestId(id))) {
      return refuse(400, null, new RpcError(errorCodes.invalidRequest, notOneMessage));
    }
    if (id === undefined) {
      // To cancel a request, clients of this revision close it.
      return new Response(null, { status: 202 });
    }
    try {
      return await this.#answer(request.headers, { id, method, params }, caller);
    } catch (error) {
      const refusal = this.#rpcErrorOf(error, method);
      return refuse(400, id, refusal);
    }
  }

  /** Resolves when every running call has ended, including cancelled ones. Waits for no user and for no subscription. Never rejects. */
  async callsEnded(): Promise<void> {
    await Promise.all([...this.#running, this.#parts.runs.runsEnded()]);
  }

  /** Ends the subscriptions, aborts the running calls, and refuses later requests. */
  close(): void {
    this.#isClosed = true;
    this.#keepAlive.close();
    this.#parts.listens.close();
    this.#parts.runs.close();
    this.#parts.tasks?.close();
  }

  /** Throws an `RpcError` if the request is refused before its handler begins. */
  async #answer(headers: Headers, request: ModernRequest, caller: McpCaller): Promise<Response> {
    checkVersionHeader(headers, readVersion(request.params));
    const envelope = readEnvelope(request.params);
    checkHeaders(headers, request);
    if (request.method === listenMethod && !takesEvents(headers)) {
      const refusal = new RpcError(errorCodes.invalidRequest, 'Not acceptable: accept text/event-stream');
      return refuse(406, request.id, refusal);
    }
    const server = createModernServer({ ...this.#options, ...caller, ownerOf: () => caller.owner }, this.#parts);
    const { signal } = caller;
    const stream = new ResponseStream(takesEvents(headers), signal);
    this.#keepAlive.add(stream);
    const running = this.#run(server, { request, envelope, stream, signal });
    void running.finally(() => this.#keepAlive.remove(stream));
    if (request.method !== listenMethod) {
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
    return stream.response;
  }

  /** Never rejects. */
  async #run(server: ModernServer, { request, envelope, stream, signal }: OpenCall): Promise<void> {
    const { id, method } = request;
    try {
      const result = await server.answer(request, envelope, { signal, send: stream.send });
      stream.end({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const refusal = this.#rpcErrorOf(error, method);
      stream.end(refusalOf(id, refusal), statuses[refusal.code] ?? 200);
    }
  }

  #rpcErrorOf(error: unknown, subject: string): RpcError {
    if (isRpcError(error)) {
      return error;
    }
    const text = concealError({ event: 'protocol-error', subject, error }, this.#options.log);
    return new RpcError(errorCodes.internalError, text);
  }
}

type OpenCall = {
  readonly request: ModernRequest;
  readonly envelope: Envelope;
  readonly stream: ResponseStream;
  readonly signal: AbortSignal;
};

const listenMethod = 'subscriptions/listen';

const notOneMessage = 'Invalid request: the body must be one JSON-RPC request or notification';

/** The status of a refusal by its code, if no notification has come before it: 200 for others. */
const statuses: Readonly<Record<number, number>> = {
  [errorCodes.methodNotFound]: 404,
  [modernErrorCodes.missingClientCapability]: 400,
};

/** The protocol requires clients to accept both types; a client that accepts JSON alone gets no notifications. */
function takesEvents(headers: Headers): boolean {
  const accepted = headers.get('accept') ?? '*/*';
  return accepted.includes('text/event-stream') || accepted.includes('*/*');
}

function refuse(status: number, id: RequestId | null, refusal: RpcError): Response {
  return Response.json(refusalOf(id, refusal), { status });
}
