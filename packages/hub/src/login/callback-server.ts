import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type CallbackServer = {
  /** Where browsers are to be sent: on this machine, with one path. */
  readonly redirectUri: string;
  close(): Promise<void>;
};

export type CallbackServerOptions = {
  /** The address that is registered for us; null for a free port. */
  readonly redirectUri: string | null;
  /** Takes each address that a browser asks for, and says whether it was the one that is waited for. */
  readonly onAddress: (address: string) => boolean;
};

export const callbackPath = '/oauth/callback';

/**
 * Listens on 127.0.0.1 alone, for one path. Every other request is answered and has no effect, so that no page that a browser shows can end a
 * login. Rejects as `listen` does, such as with `EADDRINUSE`.
 */
export async function openCallbackServer({ redirectUri, onAddress }: CallbackServerOptions): Promise<CallbackServer> {
  const named = redirectUri === null ? null : new URL(redirectUri);
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000, keepAliveTimeout: 1 });
  server.maxConnections = 32;
  server.listen(named === null ? 0 : Number(named.port || 80), '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const uri = redirectUri ?? `http://127.0.0.1:${port}${callbackPath}`;
  server.on('request', (request, response) => answer(request, response, { uri, port, onAddress }));
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { redirectUri: uri, close };
}

type Waiting = { readonly uri: string; readonly port: number; readonly onAddress: (address: string) => boolean };

function answer(request: IncomingMessage, response: ServerResponse, { uri, port, onAddress }: Waiting): void {
  const { host = '' } = request.headers;
  const isHere = [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1', 'localhost'].includes(host);
  const address = URL.canParse(request.url ?? '', uri) ? new URL(request.url ?? '', uri) : null;
  const isAsked = isHere && request.method === 'GET' && address?.pathname === new URL(uri).pathname;
  if (!isAsked || address === null || address.origin !== new URL(uri).origin) {
    send(response, 404, 'There is nothing here.');
    return;
  }
  const isTaken = onAddress(address.href);
  send(
    response,
    isTaken ? 200 : 400,
    isTaken
      ? 'You can close this page and go back to the program.'
      : 'This is no answer to the login that is waited for. It goes on waiting.',
  );
}

/** No word of the request is in it. */
function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
