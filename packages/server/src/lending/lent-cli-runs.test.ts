import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliGeminiRunner, SystemClock, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type { GeminiRunner, LentTool, RunEvent, RunRequest } from '@gemini-mcp/core';
import { ScriptedToolSource } from '@gemini-mcp/core/testing';
import { geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import {
  inOrder,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
  toolCalls,
} from '@gemini-mcp/port-contracts/offline-api';
import { LendingEndpoint } from '@gemini-mcp/tool-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { signal } = new AbortController();

function tool(name: string, changes = false): LentTool {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  return { name, description: `Does ${name}.`, inputSchema, changes };
}

describe.each(['warm', 'headless'] as const)('a run of the real CLI that lends tools, %s', (way) => {
  const clock = new SystemClock();
  let root: string;
  let api: OfflineGeminiApi;
  let endpoint: LendingEndpoint;
  let runner: GeminiRunner;
  let close: () => Promise<void>;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'lent-cli-runs-')));
    api = await startOfflineGeminiApi();
    endpoint = new LendingEndpoint({ clock, log: () => undefined });
    const options = {
      clock,
      environment: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_CLI: geminiCliUnderTest, ...api.environment() },
      runsDirectory: join(root, 'runs'),
      userDirectory: join(root, '.gemini'),
      toolEndpoint: endpoint,
    };
    const warm = new WarmGeminiRunner(options);
    runner = way === 'warm' ? warm : new CliGeminiRunner(options);
    close = () => warm.close();
  });

  afterAll(async () => {
    await close();
    await endpoint.close();
    await api.close();
    await rm(root, { recursive: true });
  });

  async function run(fields: Partial<RunRequest>): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = [];
    const request = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: clock.now() + 40_000, ...fields };
    for await (const event of runner.run(request, signal)) {
      events.push(event);
    }
    return events;
  }

  it('offers the tools, makes the calls, and brings the results back', async () => {
    const source = new ScriptedToolSource({
      tools: [tool('look'), tool('put', true)],
      answer: ({ name }) => ({ text: `Did ${name}`, data: {}, isDone: true }),
    });
    api.reply(
      inOrder(
        toolCalls([{ name: 'mcp_lend_look', args: { n: 1 } }]),
        toolCalls([{ name: 'mcp_lend_put', args: { n: 2, wait_for_previous: true } }]),
        text('done'),
      ),
    );
    const events = await run({ toolSources: [source] });
    expect(source.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['look', { n: 1 }],
      ['put', { n: 2 }],
    ]);
    expect(api.requests.map(({ functionNames }) => functionNames)).toEqual(
      Array.from({ length: 3 }, () => ['mcp_lend_look', 'mcp_lend_put']),
    );
    expect(JSON.stringify(api.requests.at(-1)?.contents)).toContain('Did look');
    expect(JSON.stringify(api.requests.at(-1)?.contents)).toContain('Did put');
    expect(events.flatMap((event) => (event.type === 'tool' ? [`${event.name} ${event.phase}`] : []))).toEqual([
      ...['look started', 'look succeeded', 'put started', 'put succeeded'],
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'answer' });
  });
});
