import { cliAnswer, cliOpening, whenFileExists } from '@gemini-mcp/fake-gemini';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup, token } from './http-setup.ts';
import { readMetric } from './read-metric.ts';

const requestInit = { headers: { Authorization: `Bearer ${token}` } };

type SdkTransport = Pick<Transport, 'start' | 'send' | 'close'>;

const streamable = (origin: string): SdkTransport =>
  new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit });

let setup: HttpSetup;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(() => setup.dispose());

describe("CANCEL-04: the official SDK's client aborts a call of the built HTTP server", () => {
  it.each([
    ['without sessions', []],
    ['with sessions', ['--stateful']],
  ] as const)('%s: its process ends within a second, and its slot is free', async (_, flags) => {
    await setup.playCli([...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }], cliAnswer('free again'));
    const server = await setup.start({ GEMINI_MCP_MAX_RUNNING: '1' }, flags);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(streamable(server.origin));
    const aborting = new AbortController();
    const call = client.callTool({ name: 'geminiChat', arguments: { prompt: 'long' } }, undefined, aborting);
    const refused = expect(call).rejects.toThrow('the user pressed Escape');
    await whenFileExists(setup.cliDirectory, 'runs');
    aborting.abort('the user pressed Escape');
    await refused;
    expect(await setup.lastingLeftovers()).toEqual([]);
    expect(await readMetric(server, 'gemini_mcp_queue_running')).toBe(0);
    const next = await client.callTool({ name: 'geminiChat', arguments: { prompt: 'next' } });
    expect(next).toMatchObject({ content: [{ text: 'free again' }, {}] });
    await client.close();
  });
});
