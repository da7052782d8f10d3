import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { McpLogEntry } from '../../handlers/mcp-log.ts';
import type { ClientRootUris } from '../../surface/surface-context.ts';
import type { Tool } from '../../surface/tool.ts';
import { createMcpServer } from './create-mcp-server.ts';

type Answer = () => unknown;

/** A client whose `roots/list` is answered so, and a tool that says for which roots it was made. */
async function connect(answer: Answer | null, asksForRoots = true) {
  const log: McpLogEntry[] = [];
  const clock = new FakeClock();
  let asked = 0;
  const server = createMcpServer({
    version: '1.0.0',
    clock,
    log: (entry) => log.push(entry),
    ownerOf: () => 'owner',
    asksForRoots,
    surface: { current: async (roots) => ({ tools: [rootsTool(roots)], prompts: [], resources: [] }) },
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const capabilities = answer === null ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: 'alice', version: '1' }, { capabilities });
  if (answer !== null) {
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      asked += 1;
      return z.looseObject({}).parse(await answer());
    });
  }
  await client.connect(clientSide);
  const call = async (): Promise<string> => {
    const { content } = z
      .object({ content: z.tuple([z.object({ text: z.string() })]) })
      .parse(await client.request({ method: 'tools/call', params: { name: 'roots' } }, z.looseObject({})));
    return content[0].text;
  };
  return { client, clock, log, call, asked: () => asked };
}

function rootsTool(roots: ClientRootUris): Tool {
  return {
    name: 'roots',
    title: 'Roots',
    description: 'Roots',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async () => ({ text: JSON.stringify(roots), isError: false }),
  };
}

const root = (uri: unknown) => ({ uri, name: 'x' });

describe("a client's roots", () => {
  it('count from the first call on, and are asked for once', async () => {
    const { call, asked } = await connect(() => ({ roots: [root('file:///a'), root('file:///b')] }));
    expect(await call()).toBe('["file:///a","file:///b"]');
    expect(await call()).toBe('["file:///a","file:///b"]');
    expect(asked()).toBe(1);
  });

  it('are not requested if the client offers none or the server has its own', async () => {
    const without = await connect(null);
    expect(await without.call()).toBe('null');
    const own = await connect(() => ({ roots: [root('file:///a')] }), false);
    expect([await own.call(), own.asked()]).toEqual(['null', 0]);
  });

  it('are asked for again when they have changed', async () => {
    let uri = 'file:///a';
    const { client, call } = await connect(() => ({ roots: [root(uri)] }));
    expect(await call()).toBe('["file:///a"]');
    uri = 'file:///b';
    await client.sendRootsListChanged();
    expect(await call()).toBe('["file:///b"]');
  });

  it('are asked for one at a time, however often the client says that they have changed', async () => {
    const open: (() => void)[] = [];
    const { client, asked } = await connect(() => new Promise((resolve) => open.push(() => resolve({ roots: [] }))));
    for (let round = 0; round < 1_000; round += 1) {
      await client.sendRootsListChanged();
    }
    expect(asked()).toBe(1);
    open.shift()?.();
    await expect.poll(() => open.length).toBe(1);
    expect(asked()).toBe(2);
  });

  it.each<[string, Answer, string]>([
    ['no list', () => ({ roots: 'file:///a' }), 'null'],
    ['nothing', () => ({}), 'null'],
    ['an error', () => Promise.reject(new Error('no')), 'null'],
    [
      'invalid roots among others',
      () => ({ roots: [null, 7, {}, root(1), root('http://a'), root('file:///a'), root('f'.repeat(5_000))] }),
      '["http://a","file:///a"]',
    ],
    [
      '10,000 roots',
      () => ({ roots: Array.from({ length: 10_000 }, (_, index) => root(`file:///${index}`)) }),
      JSON.stringify(Array.from({ length: 100 }, (_, index) => `file:///${index}`)),
    ],
  ])('may be %s: no call fails for that (ROOT-04)', async (_, answer, expected) => {
    const { call } = await connect(answer);
    expect(await call()).toBe(expected);
  });

  it('keep a call waiting for 2 s and no longer when the client does not answer (ROOT-05)', async () => {
    const { client, call, clock } = await connect(() => new Promise(() => undefined));
    // Lists read no files: they do not wait.
    expect((await client.listTools()).tools).toHaveLength(1);
    const called = call();
    await clock.advance(1_999);
    const state = await Promise.race([called, Promise.resolve('waiting')]);
    expect(state).toBe('waiting');
    await clock.advance(1);
    expect(await called).toBe('null');
    await client.close();
  });
});
