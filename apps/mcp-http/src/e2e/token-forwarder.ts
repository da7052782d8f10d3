import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export type TokenForwarderOptions = {
  readonly origin: string;
  readonly token: string;
};

export type TokenForwarder = {
  /** The address of `/mcp` for clients. On the loopback interface. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * A proxy for clients that cannot send tokens: it adds one, and passes on everything else unchanged, including `Host` and
 * `Origin`. Refusals and answers are the server's own.
 */
export async function startTokenForwarder(options: TokenForwarderOptions): Promise<TokenForwarder> {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, options));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { origin, token }: TokenForwarderOptions): void {
  const onward = request(new URL(incoming.url ?? '/', origin), {
    method: incoming.method,
    headers: [...incoming.rawHeaders, 'Authorization', `Bearer ${token}`],
  });
  onward.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.once('error', () => outgoing.destroy());
  });
  onward.once('error', () => outgoing.destroy());
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);
}
