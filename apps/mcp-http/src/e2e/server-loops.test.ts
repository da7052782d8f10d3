import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { loopHeader } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../access/testing/listen-on-loopback.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, tokenOf } from './principals.ts';

/** A proxy in front of a server that records each request. */
class Way {
  /** The server id in each request. */
  readonly seen: string[] = [];
  origin = '';
  close: () => Promise<void> = async () => undefined;

  async open(target: HttpServerProcess): Promise<void> {
    const { port, close } = await listenOnLoopback(
      createServer((incoming, outgoing) => this.#forward(incoming, outgoing, target.origin)),
    );
    this.origin = `http://127.0.0.1:${port}`;
    this.close = close;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
    this.seen.push(String(incoming.headers[loopHeader]));
    const { method, rawHeaders: headers } = incoming;
    const onward = request(new URL(incoming.url ?? '/', target), { method, headers: [...headers] });
    onward.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

describe('two servers that have each other as upstreams', () => {
  let setup: HttpSetup;
  const ways = { one: new Way(), other: new Way() };

  beforeEach(async () => {
    setup = await HttpSetup.create('api');
  });

  afterEach(async () => {
    await setup.dispose();
    await Promise.all(Object.values(ways).map((way) => way.close()));
  });

  const fileOf = (name: string): string => join(setup.root, `${name}.json`);

  async function start(name: string): Promise<HttpServerProcess> {
    await writeFile(fileOf(name), JSON.stringify({ mcpServers: {} }), { mode: 0o600 });
    return await setup.startFor([{ name: 'alice', scopes: ['gemini:query', 'gemini:servers'] }], {
      GEMINI_MCP_SERVERS_FILE: fileOf(name),
      GEMINI_MCP_OFFER_SERVERS: 'all',
    });
  }

  async function view(client: McpHttpClient): Promise<unknown> {
    return JSON.parse((await client.send({ method: 'GET', path: '/api/servers' })).text);
  }

  /** Lists the tools once, and resolves to the state of its servers. */
  async function ask(client: McpHttpClient): Promise<{ readonly tools: string; readonly servers: unknown }> {
    const { result } = await client.request('tools/list');
    await expect
      .poll(() => view(client), { timeout: 20_000 })
      .toMatchObject({ servers: [{ state: /failed|awaiting-login/ }] });
    return { tools: JSON.stringify(result), servers: await view(client) };
  }

  it('HUB-61: the first request is refused, its sender gets the reason, and nothing continues between them', async () => {
    const [one, other] = [await start('one'), await start('other')];
    await ways.one.open(one);
    await ways.other.open(other);
    const headers = { Authorization: `Bearer ${tokenOf('alice')}` };
    const entries = {
      one: { url: `${ways.other.origin}/mcp`, headers },
      other: { url: `${ways.one.origin}/mcp`, headers },
    };
    for (const [name, entry] of Object.entries(entries)) {
      await writeFile(fileOf(name), JSON.stringify({ mcpServers: { loop: entry } }), { mode: 0o600 });
    }
    const refused = {
      servers: [
        {
          state: 'failed',
          problem: expect.stringMatching(
            /^It refuses a request loop \(status 508\):\n\| This server has upstream servers itself/,
          ),
        },
      ],
    };
    const [atOne, atOther] = [clientOf('alice', one), clientOf('alice', other)];
    const first = await ask(atOne);
    expect(first.tools).not.toContain('loop__');
    expect(first.servers).toMatchObject(refused);
    // Streamable HTTP, then SSE. The other server has sent no request of its own.
    expect([ways.other.seen.length, ways.one.seen.length]).toEqual([2, 0]);
    const second = await ask(atOther);
    expect(second.servers).toMatchObject(refused);
    expect([ways.other.seen.length, ways.one.seen.length]).toEqual([2, 2]);
    // Each request names its sender, and the server passes no request on.
    expect([new Set(ways.other.seen).size, new Set(ways.one.seen).size]).toEqual([1, 1]);
    expect(ways.other.seen[0]).not.toBe(ways.one.seen[0]);
    expect(await view(atOne)).toMatchObject(refused);
    expect([ways.other.seen.length, ways.one.seen.length]).toEqual([2, 2]);
  });
});
