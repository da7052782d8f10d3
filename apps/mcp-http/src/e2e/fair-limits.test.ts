import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

describe('limits belong to a principal', () => {
  it('refuses a principal that has sent all requests of a minute, and no other one', async () => {
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

  it('gives a principal that floods the queue one turn more, then one to the other', async () => {
    const [readsFirst, ...answers] = cliAnswer('ok');
    await startWith([...(readsFirst === undefined ? [] : [readsFirst]), { do: 'await-file', file: 'go' }, ...answers], {
      GEMINI_MCP_MAX_RUNNING: '1',
    });
    const ended: string[] = [];
    /** Resolves once the call runs or waits: it has told so. */
    const begin = (client: McpHttpClient, prompt: string): Promise<{ readonly end: Promise<unknown> }> =>
      new Promise((resolve, reject) => {
        const onMessage = (): void => resolve({ end });
        const end = client.call('geminiChat', { prompt }, { progressToken: prompt, onMessage }).then(() => {
          ended.push(prompt);
        }, reject);
      });
    const calls: { readonly end: Promise<unknown> }[] = [];
    for (const prompt of ['alice 0', 'alice 1', 'alice 2', 'alice 3', 'alice 4']) {
      calls.push(await begin(alice, prompt));
    }
    calls.push(await begin(bob, 'bob'));
    await writeFile(join(setup.cliDirectory, 'go'), '');
    await Promise.all(calls.map(({ end }) => end));
    expect(ended).toEqual(['alice 0', 'alice 1', 'bob', 'alice 2', 'alice 3', 'alice 4']);
  });
});
