import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, type Lending, type LendingRequest, LentTools, type ToolEndpoint } from '@gemini-mcp/core';
import type { McpLog } from '@gemini-mcp/mcp';
import { admitRequest } from './admit-request.ts';
import { BoundConnections } from './bound-connections.ts';
import { LentRun } from './lent-run.ts';
import { readJsonBody } from './read-json-body.ts';
import { writeResponse } from './write-response.ts';

export type LendingEndpointOptions = {
  readonly clock: Clock;
  /** Told of faults of the protocol. */
  readonly log: McpLog;
};

type Listening = { readonly server: Server; readonly port: number };

/** The head and the body of a program that is lent tools come at once. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };

/**
 * Lends tools of runs over MCP, on a port of the loopback interface that is opened for the first run: each run at an address of its own, with
 * a token of its own, until the run is over.
 */
export class LendingEndpoint implements ToolEndpoint {
  readonly #options: LendingEndpointOptions;
  readonly #runs = new Map<string, LentRun>();
  readonly #closings = new Set<() => Promise<void>>();
  readonly #connections = new BoundConnections<LentRun>();
  #listening: Promise<Listening> | null = null;

  constructor(options: LendingEndpointOptions) {
    this.#options = options;
  }

  async open(request: LendingRequest, signal: AbortSignal): Promise<Lending> {
    const lent = await LentTools.from(request.sources, signal);
    const { port } = await this.#listen();
    signal.throwIfAborted();
    const run = new LentRun({ ...this.#options, ...request, lent });
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

  /** Closes all addresses and the port. */
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

/** What is refused is not read: the connection ends. */
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
