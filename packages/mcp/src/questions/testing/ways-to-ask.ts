import { PassThrough } from 'node:stream';
import { FakeClock } from '@gemini-mcp/core/testing';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpServer } from '../../edges/legacy/create-mcp-server.ts';
import { serveStdio } from '../../edges/stdio/serve-stdio.ts';
import { callerNamed } from '../../edges/testing/http-caller.ts';
import { createSessionEndpoint, createStatelessEndpoint } from '../../http.ts';
import type { Surface } from '../../surface/surface.ts';

export type WayToAsk = {
  readonly name: string;
  /** Connects the client to a server that offers this. Resolves to what tells when the calls of the server have ended. */
  readonly connect: (client: Client, surface: Surface, clock: FakeClock) => Promise<() => Promise<void>>;
};

const common = { version: '1.0.0', log: () => undefined } as const;
const url = new URL('http://127.0.0.1:3000/mcp');

/** Those over which a call can ask its client. */
export const waysToAsk: readonly WayToAsk[] = [
  {
    name: 'in memory',
    connect: async (client, surface, clock) => {
      const server = createMcpServer({ ...common, clock, surface, ownerOf: () => 'alice' });
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
      await server.connect(serverSide);
      await client.connect(clientSide);
      return () => server.callsEnded();
    },
  },
  {
    name: 'over stdio',
    connect: async (client, surface, clock) => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      const server = { ...common, clock, surface, ownerOf: () => 'alice' };
      const served = serveStdio({ stdin, stdout, server }, new AbortController().signal);
      // Its framing is that of a client, too: a message a line.
      const transport = new StdioServerTransport(stdout, stdin);
      await client.connect(transport);
      client.onclose = () => stdin.end();
      return async () => (await served).callsEnded;
    },
  },
  {
    name: 'over HTTP with sessions',
    connect: async (client, surface, clock) => {
      const endpoint = createSessionEndpoint({ ...common, clock, maxSessions: 10, idleMs: 600_000 });
      await client.connect(
        asTransport(
          new StreamableHTTPClientTransport(url, {
            fetch: async (input, init = {}) => {
              const request = new Request(input, init);
              const caller = { ...callerNamed('alice', surface), signal: request.signal };
              switch (request.method) {
                case 'POST':
                  return endpoint.post(request, await request.json(), caller);
                case 'GET':
                  return endpoint.get(request, caller);
                default:
                  return endpoint.delete(request, caller);
              }
            },
          }),
        ),
      );
      return () => endpoint.callsEnded();
    },
  },
];

/** Connects a client to an endpoint without sessions, over which no call can ask. */
export async function connectWithoutSession(client: Client, surface: Surface): Promise<void> {
  const endpoint = createStatelessEndpoint({ ...common, clock: new FakeClock() });
  await client.connect(
    asTransport(
      new StreamableHTTPClientTransport(url, {
        fetch: async (input, init = {}) => {
          const request = new Request(input, init);
          const caller = { ...callerNamed('alice', surface), signal: request.signal };
          return request.method === 'POST'
            ? endpoint.post(request, await request.json(), caller)
            : new Response(null, { status: 405 });
        },
      }),
    ),
  );
}

/** The SDK's type does not fit the SDK's interface where optional properties are taken exactly. */
function asTransport(transport: Pick<Transport, 'start' | 'send' | 'close'>): Transport {
  return transport;
}
