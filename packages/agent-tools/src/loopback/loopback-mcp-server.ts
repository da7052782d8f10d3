import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type Clock,
  type LoopbackToolServer,
  ToolRouter,
  type ToolSession,
  type ToolSessionRequest,
} from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { McpLog } from '@gemini-mcp/mcp';
import { RunToolServer } from './run-tool-server.ts';

export type LoopbackMcpServerOptions = {
  readonly clock: Clock;
  /** Receives protocol errors. */
  readonly log: McpLog;
};

type Listening = { readonly server: Server; readonly port: number };

/** A legitimate client sends the head and the body of a request at once. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };

/**
 * Serves the model tools of runs over MCP, on a loopback port that is opened for the first run: each run at its own address, with its own
 * token, until it ends.
 */
export class LoopbackMcpServer implements LoopbackToolServer {
  readonly #options: LoopbackMcpServerOptions;
  readonly #runs = new Map<string, RunToolServer>();
  readonly #closings = new Set<() => Promise<void>>();
  readonly #connections = new BoundConnections<RunToolServer>();
  #listening: Promise<Listening> | null = null;

  constructor(options: LoopbackMcpServerOptions) {
    this.#options = options;
  }

  async open(request: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession> {
    const router = await ToolRouter.from(request.sources, signal);
    const { port } = await this.#listen();
    signal.throwIfAborted();
    const run = new RunToolServer({ ...this.#options, ...request, router });
    this.#runs.set(run.id, run);
    const close = async (): Promise<void> => {
      signal.removeEventListener('abort', onAbort);
      this.#closings.delete(close);
      this.#runs.delete(run.id);
      await run.close();
      this.#connections.end(run);
    };
    this.#closings.add(close);
    const onAbort = (): void => void close();
    signal.addEventListener('abort', onAbort, { once: true });
    const url = `http://127.0.0.1:${port}/r/${run.id}`;
    return {
      url,
      token: run.token,
      listed: run.listed,
      toolsDigest: run.toolsDigest,
      get calls() {
        return run.calls;
      },
      get nextNumber() {
        return run.nextNumber;
      },
      goOn: (nextNumber) => run.goOn(nextNumber),
      close,
    };
  }

  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = null;
    await Promise.all([...this.#closings].map((closeRun) => closeRun()));
    this.#connections.endAll();
    const server = (await listening?.catch(() => null))?.server;
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  #listen(): Promise<Listening> {
    const listening = this.#listening ?? this.#start();
    this.#listening = listening;
    listening.catch(() => {
      this.#listening = null;
    });
    return listening;
  }

  async #start(): Promise<Listening> {
    const server = createServer(timeouts, (incoming, outgoing) => void this.#answer(incoming, outgoing));
    server.on('clientError', (_, socket) => socket.destroy());
    this.#connections.watch(server);
    server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 });
    await once(server, 'listening');
    // A run keeps the program alive by its process.
    server.unref();
    const address = server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('The endpoint has no port');
    }
    return { server, port: address.port };
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      const port = incoming.socket.localPort ?? 0;
      const admission = admitRequest(incoming, { port, runs: this.#runs });
      if (!admission.admitted) {
        refuse(incoming, outgoing, admission.status);
        return;
      }
      const { run } = admission;
      this.#connections.know(incoming.socket, run);
      const read = await readJsonBody(incoming);
      if (!read.isRead) {
        refuse(incoming, outgoing, read.status);
        return;
      }
      const response = await run.post({ request: toRequest(incoming), body: read.body }, gone.signal);
      await writeResponse({ clock: this.#options.clock, response, to: outgoing }, gone.signal);
    } catch {
      outgoing.destroy();
    }
  }
}

/** The body of a refused request is not read: the connection ends. */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { connection: 'close', ...(status === 405 && { allow: 'POST' }) });
  outgoing.end(() => incoming.destroy());
}

function toRequest({ url = '/', headers }: IncomingMessage): Request {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(`http://127.0.0.1${url}`, { method: 'POST', headers: entries });
}

/** The part of a run that decides who may use it. */
type Guarded = { readonly token: string };

type Admission<Run extends Guarded> =
  | { readonly admitted: true; readonly run: Run }
  | { readonly admitted: false; readonly status: 400 | 401 | 403 | 404 | 405 };

type Door<Run extends Guarded> = {
  readonly port: number;
  readonly runs: ReadonlyMap<string, Run>;
};

/**
 * Decides by the head of a request whether it comes from the program that the run's tools are for. A page in a browser is refused: it sends
 * an origin, or uses a name that only its DNS resolves to loopback.
 */
function admitRequest<Run extends Guarded>(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { port, runs }: Door<Run>,
): Admission<Run> {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) {
    return { admitted: false, status: 403 };
  }
  if (headers.origin !== undefined) {
    return { admitted: false, status: 403 };
  }
  const run = runs.get(/^\/r\/([0-9a-f]{16})$/.exec(url)?.[1] ?? '');
  if (run === undefined) {
    return { admitted: false, status: 404 };
  }
  if (!isSame(headers.authorization ?? '', `Bearer ${run.token}`)) {
    return { admitted: false, status: 401 };
  }
  return method === 'POST' ? { admitted: true, run } : { admitted: false, status: 405 };
}

/** Takes the same time wherever the strings differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** More than a program opens for the most concurrent calls allowed. */
const maxConnections = 256;

/**
 * The connections to an endpoint. If there are too many, the oldest unauthenticated ones are closed: strangers cannot keep an authorized
 * program out.
 */
class BoundConnections<Run> {
  readonly #strangers = new Set<Socket>();
  readonly #known = new Map<Socket, Run>();

  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Marks a connection as authenticated for a run. */
  know(socket: Socket, run: Run): void {
    if (this.#strangers.delete(socket) || this.#known.has(socket)) {
      this.#known.set(socket, run);
    }
  }

  /** Closes the connections last used for a run. */
  end(run: Run): void {
    for (const [socket, of] of this.#known) {
      if (of === run) {
        socket.destroy();
      }
    }
  }

  endAll(): void {
    for (const socket of [...this.#strangers, ...this.#known.keys()]) {
      socket.destroy();
    }
  }

  #add(socket: Socket): void {
    if (this.#strangers.size + this.#known.size >= maxConnections) {
      const [oldest = socket] = this.#strangers;
      oldest.destroy();
      this.#strangers.delete(oldest);
    }
    if (socket.destroyed) {
      return;
    }
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#known.delete(socket);
    });
  }
}

/** Larger than any file that a tool accepts, fully escaped. */
const maxBodyBytes = 8_388_608;

type JsonBody =
  | { readonly isRead: true; readonly body: unknown }
  | { readonly isRead: false; readonly status: 400 | 413 };

/** Reads the body of a request. Rejects if the connection breaks. */
async function readJsonBody(incoming: IncomingMessage): Promise<JsonBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) {
    return { isRead: false, status: 413 };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      return { isRead: false, status: 413 };
    }
    chunks.push(chunk);
  }
  try {
    return { isRead: true, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { isRead: false, status: 400 };
  }
}

/** The Gemini CLI gives up on a response after five minutes of silence. */
const heartbeatMs = 20_000;

/** A comment, which readers of an event stream skip. */
const heartbeat = ': \n\n';

type WriteOptions = { readonly clock: Clock; readonly response: Response; readonly to: ServerResponse };

/** Writes a response: its head at once, and heartbeats while a stream is silent. Ends early if `signal` is aborted. Never rejects. */
async function writeResponse({ clock, response, to }: WriteOptions, signal: AbortSignal): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const written = new AbortController();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const beating = isStream ? beat(to, clock, written.signal) : undefined;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (!to.write(piece.value)) {
        await once(to, 'drain', { signal });
      }
    }
  } catch {
    // The reader is gone.
  } finally {
    written.abort();
    signal.removeEventListener('abort', stop);
    to.end();
    await beating;
  }
}

async function beat(to: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  while (await sleepUnlessAborted(clock, heartbeatMs, signal)) {
    to.write(heartbeat);
  }
}
