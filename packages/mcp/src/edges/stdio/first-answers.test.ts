import { PassThrough } from 'node:stream';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { presentTool } from '../../handlers/loaded-surface.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import type { Tool } from '../../surface/tool.ts';
import { modernRequest } from '../testing/modern-caller.ts';
import { serveStdio } from './serve-stdio.ts';
import type { ServeStdioOptions } from './stdio-served.ts';

const tool: Tool = {
  name: 'look',
  title: 'Look',
  description: 'Looks',
  input: z.strictObject({ at: z.string().min(1) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => Promise.resolve({ text: 'seen', isError: false }),
};
const listed = [{ ...presentTool(tool) }];

/** Unlike the tools of the surface, which tells the answers apart. */
const known = [{ name: 'of the build' }];

const handshake = (capabilities: object = {}): object => ({
  ...{ jsonrpc: '2.0', id: 'init', method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } },
});
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const list = (params?: object): object => ({ jsonrpc: '2.0', id: 7, method: 'tools/list', ...(params && { params }) });
const loading = { jsonrpc: '2.0', id: 8, method: 'prompts/list' };

type Client = {
  readonly send: (...messages: readonly object[]) => void;
  readonly next: () => Promise<string>;
  readonly onClient: ReturnType<typeof vi.fn<() => void>>;
};

function connect(
  toolsAtStart: ServeStdioOptions['toolsAtStart'] = () => known,
  more: Partial<McpServerOptions> = {},
): Client {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const onClient = vi.fn<() => void>();
  const server = {
    version: '1.0.0',
    surface: { tools: [tool], prompts: [], resources: [] },
    clock: new FakeClock(),
    log: () => undefined,
    ownerOf: () => 'alice',
    ...more,
  };
  void serveStdio({ server, stdin, stdout, toolsAtStart, onClient }, AbortSignal.timeout(20_000));
  const lines: string[] = [];
  stdout.on('data', (text: string) => lines.push(...text.split('\n').filter((line) => line !== '')));
  return {
    onClient,
    send: (...messages) => void stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    next: () => vi.waitUntil(() => lines.shift(), { timeout: 15_000, interval: 1 }),
  };
}

it('lists the known tools before an era is loaded, and its own from then on', async () => {
  const { send, next } = connect();
  send(handshake(), initialized, list());
  expect(await next()).toContain('"protocolVersion":"2025-11-25"');
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: known } });
  send(loading);
  expect(JSON.parse(await next())).toMatchObject({ id: 8 });
  send(list());
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: [{ name: 'look' }] } });
});

it('does the same for each request of revision 2026-07-28', async () => {
  const { send, next } = connect();
  send(modernRequest(7, 'tools/list'), modernRequest(7, 'tools/list'));
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: known } });
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: known } });
  send(modernRequest(8, 'prompts/list'));
  expect(JSON.parse(await next())).toMatchObject({ id: 8 });
  send(modernRequest(7, 'tools/list'));
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: [{ name: 'look' }] } });
});

it('does so for a client that asks for other lists first', async () => {
  const { send, next } = connect();
  send(modernRequest(8, 'prompts/list'));
  send(modernRequest(7, 'tools/list'));
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: known } });
  expect(JSON.parse(await next())).toMatchObject({ id: 8, result: { prompts: [] } });
});

it.each([
  ['of the older revisions', [handshake()], list(), loading],
  ['of 2026-07-28', [modernRequest(1, 'server/discover')], modernRequest(7, 'tools/list'), modernRequest(8, 'no/such')],
])('answers a client %s byte for byte as its era does', async (_, opening, request, other) => {
  const { send, next } = connect(() => listed);
  send(...opening, request);
  await next();
  const first = await next();
  send(other);
  await next();
  send(request);
  expect(await next()).toBe(first);
});

it.each([
  ['a cursor, which the older revisions refuse', [handshake()], list({ cursor: 'x' }), -32602],
  ['a cursor, which 2026-07-28 refuses', [], modernRequest(7, 'tools/list', { cursor: 'x' }), -32602],
  ['no envelope after a probe', [modernRequest(1, 'server/discover')], list(), -32602],
])('leaves %s to the era', async (_, opening, request, code) => {
  const { send, next } = connect();
  send(...opening, request);
  for (const _message of opening) {
    await next();
  }
  expect(JSON.parse(await next())).toMatchObject({ id: 7, error: { code } });
});

it.each<[string, ServeStdioOptions['toolsAtStart'], Partial<McpServerOptions>]>([
  ['are not known', () => null, {}],
  [
    'may change',
    () => known,
    {
      surface: {
        current: async () => ({ tools: [tool], prompts: [], resources: [] }),
        onChange: () => () => undefined,
      },
    },
  ],
])('loads the era for the list if the tools %s', async (_, toolsAtStart, more) => {
  const { send, next } = connect(toolsAtStart, more);
  send(handshake(), initialized, list());
  await next();
  expect(JSON.parse(await next())).toMatchObject({ id: 7, result: { tools: [{ name: 'look' }] } });
});

it('loads what a client needs that only shakes hands, and tells its era that it has', async () => {
  const { send, next, onClient } = connect(() => known, { asksForRoots: true });
  send(handshake({ roots: {} }), initialized);
  await next();
  expect(JSON.parse(await next())).toMatchObject({ method: 'roots/list' });
  expect(onClient).toHaveBeenCalledOnce();
});

it('takes a client that lists tools for one that stays', async () => {
  const { send, next, onClient } = connect();
  send(modernRequest(1, 'server/discover'), modernRequest(7, 'tools/list'));
  await next();
  await next();
  await vi.waitUntil(() => onClient.mock.calls.length > 0, { interval: 1 });
  expect(onClient).toHaveBeenCalledOnce();
});
