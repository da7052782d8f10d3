import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpServer } from '../edges/legacy/create-mcp-server.ts';
import { ChangingSurface } from '../surface/changing-surface.ts';
import type { Surface, SurfaceSource } from '../surface/surface.ts';
import type { ClientRootUris } from '../surface/surface-context.ts';
import type { ToolOutcome } from '../surface/tool.ts';
import { promptNamed, shelfNamed, toolNamed } from '../testing/named-tool.ts';
import type { McpLogEntry } from './mcp-log.ts';

const empty: Surface = { tools: [], prompts: [], resources: [] };

const withTools = (...names: readonly string[]): Surface => ({ ...empty, tools: names.map((name) => toolNamed(name)) });

type Connection = {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  /** Notices, such as `tools`, in the order in which they came. */
  readonly notices: readonly string[];
  /** Lets so much time pass that what changed before is told. */
  readonly settle: () => Promise<void>;
};

/** A client connected to a server that offers this. Its roots are those that `roots` returns. */
async function connect(
  surface: Surface | SurfaceSource,
  roots: (() => readonly string[]) | null = null,
): Promise<Connection> {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const notices: string[] = [];
  const server = createMcpServer({
    version: '1.0.0',
    clock,
    log: (entry) => log.push(entry),
    ownerOf: () => 'owner',
    asksForRoots: roots !== null,
    surface,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const capabilities = roots === null ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: 'alice', version: '1' }, { capabilities });
  if (roots !== null) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots().map((uri) => ({ uri })) }));
  }
  client.fallbackNotificationHandler = async ({ method }) => {
    notices.push(method.replace(/^notifications\/(\w+)\/list_changed$/, '$1'));
  };
  await client.connect(clientSide);
  return { client, clock, log, notices, settle: () => clock.advance(200) };
}

async function listAll(client: Client): Promise<void> {
  await Promise.all([client.listTools(), client.listPrompts(), client.listResources(), client.listResourceTemplates()]);
}

async function toolNames(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('a client that has read the lists', () => {
  it.each<[string, Surface, readonly string[]]>([
    ['tools', { ...empty, tools: [toolNamed('other')] }, ['tools']],
    ['prompts', { ...empty, prompts: [promptNamed('other')] }, ['prompts']],
    ['resources and templates', { ...empty, resources: [shelfNamed('other')] }, ['resources']],
    [
      'all',
      { tools: [toolNamed('a')], prompts: [promptNamed('a')], resources: [shelfNamed('a')] },
      ['tools', 'prompts', 'resources'],
    ],
    ['nothing but the object', { ...empty }, []],
  ])('is told that %s changed, and of nothing else', async (_, next, expected) => {
    const surface = new ChangingSurface(empty);
    const { client, notices, settle } = await connect(surface);
    await listAll(client);
    surface.replace(next);
    await settle();
    expect(notices).toEqual(expected);
    expect(await toolNames(client)).toEqual(next.tools.map(({ name }) => name));
    await client.close();
  });

  it('gets one notice for a burst of changes, and none if the last one reverts the others', async () => {
    const surface = new ChangingSurface(withTools('a'));
    const { client, notices, settle } = await connect(surface);
    await client.listTools();
    for (let change = 0; change < 100; change += 1) {
      surface.replace(withTools('a', `b${change}`));
    }
    await settle();
    expect(notices).toEqual(['tools']);
    expect(await toolNames(client)).toEqual(['a', 'b99']);
    surface.replace(withTools());
    surface.replace(withTools('a', 'b99'));
    await settle();
    expect(notices).toEqual(['tools']);
    await client.close();
  });

  it('gets another notice only when it has read the list again: a slow client has one notice to read', async () => {
    const surface = new ChangingSurface(empty);
    const { client, notices, settle } = await connect(surface);
    await client.listTools();
    for (const name of ['a', 'b', 'c']) {
      surface.replace(withTools(name));
      await settle();
    }
    expect(notices).toEqual(['tools']);
    await client.listTools();
    surface.replace(empty);
    await settle();
    expect(notices).toEqual(['tools', 'tools']);
    await client.close();
  });

  it('gets a notice of a change that came while its list was being built', async () => {
    const pending: ((surface: Surface) => void)[] = [];
    let tell = (): void => undefined;
    const { client, notices, settle } = await connect({
      current: () => new Promise((resolve) => pending.push(resolve)),
      onChange: (listener) => {
        tell = listener;
        return () => undefined;
      },
    });
    const listed = toolNames(client);
    await settle();
    tell();
    await settle();
    expect(pending).toHaveLength(2);
    pending[1]?.(withTools('new'));
    await settle();
    pending[0]?.(withTools('old'));
    expect(await listed).toEqual(['old']);
    await settle();
    expect(notices).toEqual(['tools']);
    await client.close();
  });

  it('gets a notice if a provider cannot list its resources any more', async () => {
    const surface = new ChangingSurface({ ...empty, resources: [shelfNamed('a')] });
    const { client, notices, settle } = await connect(surface);
    await client.listResources();
    surface.replace({ ...empty, resources: [{ ...shelfNamed('a'), list: () => Promise.reject(new Error('disk')) }] });
    await settle();
    expect(notices).toEqual(['resources']);
    await client.close();
  });
});

describe('a client', () => {
  it('gets no notice for lists that it has not read', async () => {
    const surface = new ChangingSurface(empty);
    const { client, notices, settle } = await connect(surface);
    await client.listPrompts();
    surface.replace(withTools('a'));
    await settle();
    expect(notices).toEqual([]);
    expect(await toolNames(client)).toEqual(['a']);
    await client.close();
  });

  it('sees notices announced only if there can be any', async () => {
    const capabilitiesOf = async (...args: Parameters<typeof connect>): Promise<unknown> =>
      (await connect(...args)).client.getServerCapabilities();
    const lists = (list: object): object => ({ tools: list, prompts: list, resources: list, completions: {} });
    expect(await capabilitiesOf(empty)).toEqual(lists({}));
    expect(await capabilitiesOf({ current: async () => empty })).toEqual(lists({}));
    expect(await capabilitiesOf(new ChangingSurface(empty))).toEqual(lists({ listChanged: true }));
    expect(await capabilitiesOf(empty, () => [])).toEqual(lists({ listChanged: true }));
  });

  it('gets the result of a call whose tool disappears meanwhile, and the usual words for the next', async () => {
    let finish = (_: ToolOutcome): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = toolNamed('slow', () => {
      begin();
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const surface = new ChangingSurface({ ...empty, tools: [slow] });
    const { client, settle } = await connect(surface);
    const running = client.callTool({ name: 'slow' });
    await begun;
    surface.replace(withTools('fast'));
    await settle();
    finish({ text: 'finished', isError: false });
    expect(await running).toEqual({ content: [{ type: 'text', text: 'finished' }] });
    await expect(client.callTool({ name: 'slow' })).rejects.toThrow('Unknown tool. The tools are: fast');
    await client.close();
  });

  it('gets a notice as soon as the surface can be loaded again', async () => {
    const surface = new ChangingSurface(empty);
    let isBroken = false;
    const source: SurfaceSource = {
      current: () => (isBroken ? Promise.reject(new Error('disk')) : surface.current()),
      onChange: (listener) => surface.onChange(listener),
    };
    const { client, log, notices, settle } = await connect(source);
    await client.listTools();
    isBroken = true;
    surface.replace(withTools('a'));
    await settle();
    expect([notices, log.map(({ event }) => event)]).toEqual([[], ['surface-unavailable']]);
    isBroken = false;
    surface.replace(withTools('a'));
    await settle();
    expect(notices).toEqual(['tools']);
    await client.close();
  });

  it('gets a notice when other roots change the surface, and only then', async () => {
    let roots: readonly string[] = [];
    const source: SurfaceSource = {
      current: async (uris: ClientRootUris) => withTools(uris?.includes('file:///b') === true ? 'with_b' : 'without'),
    };
    const { client, notices, settle } = await connect(source, () => roots);
    await settle();
    expect(await toolNames(client)).toEqual(['without']);
    roots = ['file:///a'];
    await client.sendRootsListChanged();
    await settle();
    expect(notices).toEqual([]);
    roots = ['file:///b'];
    await client.sendRootsListChanged();
    await settle();
    expect(notices).toEqual(['tools']);
    expect(await toolNames(client)).toEqual(['with_b']);
    await client.close();
  });

  it('leaves no listener and no timer when it goes', async () => {
    const listeners = new Set<() => void>();
    const source: SurfaceSource = {
      current: async () => empty,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const { client, clock } = await connect(source);
    await client.listTools();
    expect(listeners.size).toBe(1);
    listeners.forEach((listener) => void listener());
    await client.close();
    await clock.advance(0);
    expect([listeners.size, clock.sleeping]).toEqual([0, 0]);
  });
});

it('no notice is sent before the client is initialized; changes until then cause one afterwards', async () => {
  const surface = new ChangingSurface(empty);
  const clock = new FakeClock();
  const server = createMcpServer({
    version: '1.0.0',
    clock,
    log: () => undefined,
    ownerOf: () => 'owner',
    surface,
  });
  const [client, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const received: string[] = [];
  client.onmessage = (message) => {
    received.push('method' in message ? message.method : 'response');
  };
  const clientInfo = { name: 'alice', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await client.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  await clock.advance(200);
  surface.replace(withTools('a'));
  await clock.advance(10_000);
  expect(received).toEqual(['response', 'response']);
  await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await clock.advance(200);
  expect(received).toEqual(['response', 'response', 'notifications/tools/list_changed']);
  await server.close();
});

it('a surface has 1,000 tools at most: a list is one page', async () => {
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `tool_${index}`);
  const fitting = await connect(withTools(...names(1_000)));
  expect(await toolNames(fitting.client)).toHaveLength(1_000);
  const tooMany = await connect(withTools(...names(1_001)));
  await expect(tooMany.client.listTools()).rejects.toThrow('Internal error');
  expect(z.instanceof(Error).parse(tooMany.log[0]?.error).message).toContain('1001 tools');
});
