import { join } from 'node:path';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Database } from 'node-sqlite3-wasm';
import { expect, it } from 'vitest';
import { ExamplePlace } from './testing/example-place.ts';

it('a server asks by the runner, and keeps conversations in the store, that were registered in the place of ours', async () => {
  const place = await ExamplePlace.create();
  place.api.reply(text('Because.'));
  place.useCli('/nonexistent/gemini');
  const database = join(place.root, 'sessions.db');
  const client = new Client({ name: 'example', version: '1.0.0' });
  const env = { ...place.environment(), GEMINI_MCP_RUNNER: 'auto', SESSIONS_DATABASE: database };
  const args = [await place.compile('swapped-server.ts')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: place.project }));
  const answer = await client.callTool({ name: 'chat', arguments: { prompt: 'Why?' } });
  expect(JSON.stringify(answer.content)).toMatch(/Because[\s\S]*Via: rest/);
  await client.close();
  const kept = new Database(database);
  expect(kept.all('SELECT COUNT(*) AS count FROM sessions')).toEqual([{ count: 1 }]);
  kept.close();
  await place.dispose();
});
