import { type CliStep, cliAnswer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { HttpAnswer, McpHttpClient } from './mcp-http-client.ts';
import { clientOf } from './principals.ts';

let setup: HttpSetup;
let alice: McpHttpClient;
let bob: McpHttpClient;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(async () => {
  alice.close();
  bob.close();
  await setup.dispose();
});

async function startWith(
  run: readonly CliStep[],
  environment: Readonly<Record<string, string>>,
): Promise<HttpServerProcess> {
  await setup.playCli(run);
  const server = await setup.startFor([{ name: 'alice' }, { name: 'bob' }], environment);
  alice = clientOf('alice', server);
  bob = clientOf('bob', server);
  return server;
}

function list(client: McpHttpClient): Promise<HttpAnswer> {
  return client.send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
}

describe('limits apply to each principal', () => {
  it('refuses a principal that has used all requests of a minute, and no other', async () => {
    await startWith(cliAnswer('ok'), { GEMINI_MCP_HTTP_RATE_LIMIT: '5' });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await list(alice)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await list(alice);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.messages).toMatchObject([{ error: { data: { reason: 'rate-limited' } } }]);
    const overRest = await alice.send({ path: '/api/gemini-chat', body: { prompt: 'x' } });
    expect(overRest).toMatchObject({ status: 429, text: expect.stringContaining('"code":"rate-limited"') });
    expect((await list(bob)).status).toBe(200);
  });
});
