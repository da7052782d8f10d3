import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { app, endpoint, grant } from '../principals-route.ts';

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
await once(server, 'listening');
const address = server.address();
const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);

/** Connects as a principal that has read its tools. `changed` resolves to the names that it reads after a notification. */
async function connect(owner: string): Promise<{ client: Client; changed: Promise<string> }> {
  let tell: (names: string) => void = () => undefined;
  const changed = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    {
      listChanged: {
        tools: { onChanged: (_, tools) => tell(`${owner}: ${tools?.map(({ name }) => name).join(' ')}`) },
      },
    },
  );
  const headers = { Authorization: `Bearer token-of-${owner}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await client.listTools();
  return { client, changed };
}

function toolNamed(name: string) {
  return {
    name,
    title: name,
    description: name,
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async () => ({ text: name, isError: false }),
  };
}

const ada = await connect('ada');
const bob = await connect('bob');
grant('ada', [toolNamed('read_orders')]);
console.log(await ada.changed);
grant('bob', [toolNamed('read_invoices')]);
// Bob's first notification is about his own change.
console.log(await bob.changed);
await Promise.all([ada.client.close(), bob.client.close()]);
await endpoint.close();
server.close();
