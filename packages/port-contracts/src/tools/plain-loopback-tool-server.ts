import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  type Clock,
  type LoopbackToolServer,
  ToolRouter,
  type ToolSession,
  type ToolSessionRequest,
} from '@gemini-mcp/core';
import { isJsonRecord } from '../offline-api/index.ts';
import { PlainToolSession } from './plain-tool-session.ts';

/**
 * Serves tools to one well-behaved program for each run, such as the Gemini CLI in a test. It passes the contract, without
 * bounds against strangers. Each answer comes as a whole.
 */
export class PlainLoopbackToolServer implements LoopbackToolServer {
  readonly #clock: Clock;
  readonly #runs = new Map<string, PlainToolSession>();
  readonly #server: Server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  async open(request: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession> {
    const router = await ToolRouter.from(request.sources, signal);
    const port = await this.#listen();
    signal.throwIfAborted();
    const path = `/${randomBytes(8).toString('hex')}`;
    const run = new PlainToolSession({
      ...request,
      clock: this.#clock,
      router,
      url: `http://127.0.0.1:${port}${path}`,
    });
    this.#runs.set(path, run);
    run.over.addEventListener('abort', () => this.#runs.delete(path), { once: true });
    signal.addEventListener('abort', () => void run.close(), { once: true, signal: run.over });
    return run;
  }

  /** Closes all addresses and the port. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.close()));
    if (this.#server.listening) {
      this.#server.closeAllConnections();
      this.#server.close();
      await once(this.#server, 'close');
    }
  }

  async #listen(): Promise<number> {
    if (!this.#server.listening) {
      this.#server.listen({ host: '127.0.0.1', port: 0 });
      await once(this.#server, 'listening');
      this.#server.unref();
    }
    const address = this.#server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url = '', headers } = incoming;
    const run = this.#runs.get(url);
    const port = incoming.socket.localPort;
    const isOfLoopback = headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
    if (!isOfLoopback || headers.origin !== undefined) {
      outgoing.writeHead(403).end();
    } else if (run === undefined) {
      outgoing.writeHead(404).end();
    } else if (headers.authorization !== `Bearer ${run.token}`) {
      outgoing.writeHead(401).end();
    } else if (method !== 'POST') {
      outgoing.writeHead(405).end();
    } else {
      await this.#answerPost(run, incoming, outgoing);
    }
  }

  async #answerPost(run: PlainToolSession, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: unknown = await json(incoming);
    const answer = isJsonRecord(body) ? await run.answer(body) : 'refused';
    if (answer === 'over') {
      outgoing.destroy();
    } else if (answer === 'refused') {
      outgoing.writeHead(400).end();
    } else if (answer === null) {
      outgoing.writeHead(202).end();
    } else {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
  }
}
