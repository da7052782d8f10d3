import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { timeUntilGone } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, tokenOf } from './principals.ts';

const growing = fileURLToPath(new URL('growing-server.mjs', import.meta.url));
const names = ['alice', 'bob'] as const;

type Body = Readonly<Record<string, unknown>>;

describe('processes of other servers over HTTP', () => {
  let setup: HttpSetup;
  let clients: McpHttpClient[];

  beforeEach(async () => {
    clients = [];
    setup = await HttpSetup.create('api');
  });

  afterEach(async () => {
    for (const client of clients) {
      client.close();
    }
    await setup.dispose();
  });

  const program = (more: object = {}, ...words: readonly string[]) => ({
    command: process.execPath,
    args: [growing, ...words],
    ...more,
  });

  async function start(mcpServers: object): Promise<HttpServerProcess> {
    return await setup.startFor(
      names.map((name) => ({ name, scopes: ['gemini:query', 'gemini:servers'] })),
      {
        ...(await setup.writeServers(mcpServers)),
        GEMINI_MCP_OFFER_SERVERS: 'all',
        GEMINI_MCP_HTTP_SHUTDOWN_SECONDS: '0',
      },
      ['--stateful'],
    );
  }

  async function connect(name: string, server: HttpServerProcess): Promise<McpHttpClient> {
    const client = clientOf(name, server);
    clients.push(client);
    await client.initialize();
    return client;
  }

  async function toolsOf(client: McpHttpClient): Promise<readonly string[]> {
    const { result } = await client.request('tools/list');
    const tools = result?.['tools'];
    return Array.isArray(tools) ? tools.map(({ name }: Body) => String(name)) : [];
  }

  async function untilListed(client: McpHttpClient, name: string): Promise<void> {
    while (!(await toolsOf(client)).includes(name)) {
      // The server says so on request.
    }
  }

  /** The stream of the server's notifications, once it is open. */
  async function listen(client: McpHttpClient, onMessage: (method: string) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const headers = { Accept: 'text/event-stream' };
      const told = ({ method }: { readonly method?: string }): void => onMessage(method ?? '');
      client.send({ method: 'GET', headers, onBegin: resolve, onMessage: told }).catch(reject);
    });
  }

  /** Calls with the same ids as the other principal's. The server answers the later one of two first. */
  async function tellAll(client: McpHttpClient, secret: string): Promise<readonly string[]> {
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const word = `${secret}-${index}.`;
      const { text } = await client.call('notes__tell', { word, pairs: true }, { id: 100 + index });
      return [text.replace(/ heard .*/, ''), text.endsWith(` heard ${word}`) ? 'own' : text];
    });
    return [...new Set((await Promise.all(calls)).flat())];
  }

  it.each([
    { isShared: false, processes: 2 },
    { isShared: true, processes: 1 },
  ])('HUB-50: two principals with the same request ids: $processes, and no result crosses', async (each) => {
    const server = await start({ notes: program({ shared: each.isShared }) });
    const [alice, bob] = [await connect('alice', server), await connect('bob', server)];
    await Promise.all([untilListed(alice, 'notes__tell'), untilListed(bob, 'notes__tell')]);
    const told = await Promise.all([tellAll(alice, 'secret-of-alice'), tellAll(bob, 'secret-of-bob')]);
    expect(told).toEqual([
      [expect.stringMatching(/^\d+$/), 'own'],
      [expect.stringMatching(/^\d+$/), 'own'],
    ]);
    expect(new Set(told.map(([pid]) => pid)).size).toBe(each.processes);
  });

  it('a changed list is reported to the session of that server, and to no other', async () => {
    const server = await start({ notes: program({ pin: 'off' }) });
    const [alice, bob] = [await connect('alice', server), await connect('bob', server)];
    await Promise.all([untilListed(alice, 'notes__tell'), untilListed(bob, 'notes__tell')]);
    const heardByBob: string[] = [];
    await listen(bob, (method) => heardByBob.push(method));
    const changed = new Promise<void>((resolve, reject) => {
      const hear = (method: string): void => (method === 'notifications/tools/list_changed' ? resolve() : undefined);
      listen(alice, hear)
        .then(() => alice.call('notes__grow', {}))
        .catch(reject);
    });
    await changed;
    await untilListed(alice, 'notes__grown');
    expect((await alice.call('notes__grown', { word: 'x' })).text).toMatch(/heard x$/);
    expect(await toolsOf(bob)).not.toContain('notes__grown');
    expect(heardByBob).toEqual([]);
  });

  it('HUB-52: end with the server in two seconds, even those that ignore signals, have children, and do not answer', async () => {
    const env = { WORD: randomUUID() };
    const server = await start({
      notes: program({ env }, 'stubborn'),
      shared: program({ env, shared: true }, 'stubborn'),
    });
    const pids: number[] = [];
    for (const name of names) {
      const client = await connect(name, server);
      await untilListed(client, 'shared__tell');
      await untilListed(client, 'notes__tell');
      for (const tool of ['notes__tell', 'shared__tell']) {
        const { text } = await client.call(tool, { word: 'x' });
        pids.push(
          ...text
            .replace(/ heard.*/, '')
            .split(' ')
            .map(Number),
        );
      }
    }
    expect([pids.length, new Set(pids).size]).toEqual([8, 6]);
    expect(pids.filter(isRunning)).toEqual(pids);
    const [alice] = clients;
    const unanswered = alice?.call('notes__wait', {}).then(
      ({ text }) => text,
      (error: unknown) => String(error),
    );
    server.kill('SIGTERM');
    expect(await timeUntilGone(env.WORD)).toBeLessThanOrEqual(2_000);
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await unanswered).toMatch(/closed|shutting|refused|reset|hang up/i);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('HUB-51: a server whose settings name itself refuses itself, reports it, and continues', async () => {
    const server = await start({});
    const headers = { Authorization: `Bearer ${tokenOf('alice')}` };
    const own = { url: `${server.origin}/mcp`, headers };
    const withoutToken = { url: own.url };
    await setup.writeServers({ itself: own, again: { ...own, type: 'http' }, open: withoutToken, notes: program() });
    const alice = await connect('alice', server);
    await untilListed(alice, 'notes__tell');
    const view = async (): Promise<unknown> =>
      JSON.parse((await alice.send({ method: 'GET', path: '/api/servers' })).text);
    const refused = {
      state: 'failed',
      problem: expect.stringContaining('This server is calling itself. Remove its own address'),
    };
    // They are retried now and then, and are not refused meanwhile.
    const expected = { servers: [refused, refused, refused, { state: 'connected' }] };
    await expect.poll(view, { timeout: 20_000 }).toMatchObject(expected);
    expect((await alice.call('notes__tell', { word: 'x' })).text).toMatch(/heard x$/);
  });
});

/** A zombie no longer runs. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
