import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaultyProxy, hasRedisServer, RedisServer, trustedCertificate } from '@gemini-mcp/fake-gemini/redis';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient, type ToolResult } from './mcp-http-client.ts';

describe.skipIf(!hasRedisServer)('two servers, each on its own machine, with one store (needs redis-server)', () => {
  const redis = new RedisServer();
  const proxy = new FaultyProxy(redis.path);
  const encrypted = new FaultyProxy(redis.path, trustedCertificate);
  let setup: HttpSetup;
  let server: HttpServerProcess;
  let first: McpHttpClient;
  let second: McpHttpClient;

  beforeAll(async () => {
    await redis.start();
    await Promise.all([proxy.open(), encrypted.open()]);
    setup = await HttpSetup.create('api');
    const other = await start('second', `rediss://localhost:${encrypted.port}`);
    server = await start('first', `redis://127.0.0.1:${proxy.port}`);
    first = new McpHttpClient({ origin: server.origin, token });
    second = new McpHttpClient({ origin: other.origin, token });
  });

  afterAll(async () => {
    first.close();
    second.close();
    await setup.dispose();
    await Promise.all([proxy.close(), encrypted.close()]);
    await redis.dispose();
  });

  async function start(machine: string, store: string): Promise<HttpServerProcess> {
    const state = join(setup.root, machine);
    const authority = join(setup.root, 'authority.pem');
    await mkdir(state, { mode: 0o700 });
    await writeFile(authority, trustedCertificate.cert);
    return setup.start({ GEMINI_MCP_STATE_DIR: state, GEMINI_MCP_STORE: store, NODE_EXTRA_CA_CERTS: authority });
  }

  const handleIn = (result: ToolResult): string => /handle "([^"]+)"/.exec(result.text)?.[1] ?? '';

  it('a conversation begun on one goes on at the other', async () => {
    setup.api.reply(text('a canary'));
    const { sessionId } = (await first.call('chat', { prompt: 'Name a bird.' })).meta;
    const reply = await second.call('chat-reply', { prompt: 'Which colour has it?', sessionId });
    expect(reply.isError).toBe(false);
    expect(JSON.stringify(setup.api.requests.at(-1)?.contents)).toMatch(/Name a bird\..*a canary.*Which colour/);
  });

  it('an answer saved on one, and the result of a job there, are read at the other', async () => {
    setup.api.reply(text(`${'canary '.repeat(10_000)}end`));
    const handle = handleIn(await first.call('gemini_query', { prompt: 'Name birds.' }));
    expect((await second.call('gemini_read', { handle, search: 'end' })).text).toContain('canary end');
    setup.api.reply(text('a finch'));
    const { jobHandle } = (await first.call('gemini_query', { prompt: 'And one more?', background: true })).meta;
    await first.call('gemini_job', { handle: jobHandle, action: 'wait' });
    expect((await second.call('gemini_job', { handle: jobHandle })).text).toContain('a finch');
  });

  it('without its store, calls that need none go on, the others say why, and all is well once it is back', async () => {
    setup.api.reply(text('a canary'));
    const { sessionId } = (await first.call('chat', { prompt: 'Name a bird.' })).meta;
    await proxy.close();
    const [plain, unsaved, ...unread] = await Promise.all([
      first.call('gemini_query', { prompt: 'Name a bird.' }),
      first.call('chat', { prompt: 'Name a bird.' }),
      first.call('chat-reply', { prompt: 'Which colour has it?', sessionId }),
      first.call('chat-reply', { prompt: 'Which colour has it?' }),
      first.call('gemini_read', { handle: 'a'.repeat(24) }),
      first.call('gemini_job', { handle: 'a'.repeat(24) }),
    ]);
    await proxy.open();
    const why = 'is not reachable: check that it runs (ECONNREFUSED)';
    expect(plain).toMatchObject({ isError: false, text: expect.stringContaining('a canary') });
    expect(unsaved).toMatchObject({ isError: false, text: expect.stringContaining(why) });
    const failed = { isError: true, text: expect.stringContaining(why) };
    expect(unread).toMatchObject(unread.map(() => failed));
    expect((await second.call('chat-reply', { prompt: 'Which colour has it?', sessionId })).isError).toBe(false);
  });

  it('SIGKILL of one under load loses no conversation that it has acknowledged', async () => {
    setup.api.reply(text('a canary'));
    const kept: unknown[] = [];
    const chat = async (index: number): Promise<void> => {
      const { isError, meta } = await first.call('chat', { prompt: `Name bird ${index}.` });
      kept.push(...(isError ? [] : [meta['sessionId']]));
      if (kept.length === 20) {
        server.kill('SIGKILL');
      }
    };
    const worker = async (): Promise<void> => {
      for (let index = 0; index < 100; index += 1) {
        await chat(index);
      }
    };
    await Promise.allSettled(Array.from({ length: 4 }, worker));
    expect(kept.length).toBeGreaterThanOrEqual(20);
    for (const id of kept) {
      const { result } = await second.request('resources/read', { uri: `gemini://sessions/${String(id)}` });
      expect(JSON.stringify(result)).toContain('a canary');
    }
  });
});
