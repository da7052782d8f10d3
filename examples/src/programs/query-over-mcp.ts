import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { app } from '../mcp-route.ts';

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
await once(server, 'listening');
const address = server.address();
const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);

const stranger = await fetch(url, { method: 'POST', body: '{}' });
console.log(stranger.status);

const client = new Client({ name: 'example', version: '1.0.0' });
const headers = { Authorization: `Bearer ${process.env['MCP_TOKEN']}` };
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(' '));
const result = await client.callTool({
  name: 'gemini_query',
  arguments: { prompt: 'What does this do?', files: ['src/add.ts'] },
});
console.log(JSON.stringify(result.content));
await client.close();
server.close();
