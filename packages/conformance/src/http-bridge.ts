import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isLocal } from './is-local.ts';
import { listen } from './listen.ts';

/** Answers a request whose body was parsed; the signal is aborted when the request is closed. */
export type HttpAnswer = (request: Request, body: unknown, signal: AbortSignal) => Promise<Response>;

export type HttpBridge = {
  /** On the loopback interface. */
  readonly url: string;
  close(): Promise<void>;
};

/** Makes what answers web requests reachable over a socket, for test suites. It refuses foreign hosts and origins. */
export async function startHttpBridge(answer: HttpAnswer): Promise<HttpBridge> {
  const server = createServer((request, response) => {
    respond(request, response, answer).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server)}/mcp`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, answer: HttpAnswer): Promise<void> {
  if (!isLocal(incoming)) {
    outgoing.writeHead(403).end();
    return;
  }
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  const body = incoming.method === 'POST' ? await json(incoming) : undefined;
  const response = await answer(toRequest(incoming), body, closed.signal);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) {
    outgoing.end();
    return;
  }
  await pipeline(Readable.from(response.body), outgoing);
}

function toRequest({ method = 'GET', headers, url = '/' }: IncomingMessage): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    given.set(name, String(value));
  }
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers: given });
}
