import { createServer } from 'node:http';
import { ConfigurationError } from '@gemini-mcp/server';
import { expect, it } from 'vitest';
import { listen, mcpUrl } from './listen.ts';

async function close(server: ReturnType<typeof createServer>): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

it('listens on a free port and reports it', async () => {
  const server = createServer();
  const { host, port } = await listen(server, { host: '127.0.0.1', port: 0 });
  expect(host).toBe('127.0.0.1');
  expect(port).toBeGreaterThan(0);
  expect(server.listening).toBe(true);
  await close(server);
});

it('names the port in use, and the remedy', async () => {
  const first = createServer();
  const { port } = await listen(first, { host: '127.0.0.1', port: 0 });
  const failing = listen(createServer(), { host: '127.0.0.1', port });
  await expect(failing).rejects.toBeInstanceOf(ConfigurationError);
  await expect(failing).rejects.toThrow(
    `GEMINI_MCP_PORT (--port): port ${port} of 127.0.0.1 is in use, perhaps by another of these servers. Choose another port, or 0 for one that is free.`,
  );
  await close(first);
});

it('reports an address that this machine does not have', async () => {
  // Reserved for documentation.
  const failing = listen(createServer(), { host: '192.0.2.1', port: 0 });
  await expect(failing).rejects.toThrow(/^GEMINI_MCP_HOST \(--host\): this machine has no address 192\.0\.2\.1\. /);
});

it('reports the fault whatever the system said', async () => {
  const server = createServer();
  const failing = listen(server, { host: '127.0.0.1', port: 0 });
  server.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' }));
  await expect(failing).rejects.toThrow('port 0 of 127.0.0.1 cannot be opened (EMFILE)');
  await close(server);
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:3000/mcp'],
  ['0.0.0.0', 'http://0.0.0.0:3000/mcp'],
  ['::1', 'http://[::1]:3000/mcp'],
  ['::', 'http://[::]:3000/mcp'],
  ['localhost', 'http://localhost:3000/mcp'],
])('clients find a server on %s at %s', (host, url) => {
  expect(mcpUrl({ host, port: 3_000 })).toBe(url);
  expect(new URL(url).href).toBe(url);
});
