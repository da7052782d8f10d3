import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';

import { ServerFetch } from './compose-upstreams.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers everything with its name; `asked` has the addresses that it was asked for. */
async function listen(name: string, host: string): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(name);
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 No\r\n\r\n');
  });
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, asked };
}

it.skipIf(process.platform !== 'linux')('UPSTREAM: servers of this machine are asked without the proxy', async () => {
  const proxy = await listen('proxy', '127.0.0.1');
  const near = await listen('near', '127.0.0.2');
  const fetching = new ServerFetch({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
  const answer = await fetching.fetch(`http://127.0.0.2:${near.port}/mcp`);
  expect(await answer.text()).toBe('near');
  // Some systems do not know the name: it is not for a proxy to find out.
  await fetching.fetch(`http://notes.localhost:${near.port}/mcp`).catch(() => undefined);
  expect(proxy.asked).toEqual([]);
  await fetching.fetch('http://mcp.example.com/mcp').catch(() => undefined);
  expect(proxy.asked).toHaveLength(1);
  await fetching.close();
});
