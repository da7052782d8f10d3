import { join } from 'node:path';
import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { CliGeminiRunner, SystemClock, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type { GeminiRunner, ToolSource } from '@gemini-mcp/core';
import { type OfflineGeminiApi, startOfflineGeminiApi, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { LendingEndpoint } from '@gemini-mcp/tool-host';
import { geminiPath } from '../project-paths.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';

export type StepWay = 'api' | 'warm' | 'headless';

/** Those of a run that come before those that count. */
const stepsBefore = 10;

const source: ToolSource = {
  list: async () => [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, changes: false }],
  call: async () => ({ text: 'Seen.', data: {}, isDone: true }),
};

/**
 * How long one step of a run takes, with a tool that does nothing and a model that answers at once: from when a request is with the API to when the
 * next one is, which brings the result of the call in between.
 */
export async function timeSteps(workbench: Workbench, way: StepWay, steps: number): Promise<Series> {
  const api = await startOfflineGeminiApi({ maxRecorded: 1 });
  const clock = new SystemClock();
  const endpoint = new LendingEndpoint({ clock, log: () => undefined });
  const { runner, close } = await openRunner(workbench, { way, api, clock, endpoint });
  const moments: number[] = [];
  const name = way === 'api' ? 'look' : 'mcp_lend_look';
  api.reply((_, index) => {
    moments.push(performance.now());
    return index < steps + stepsBefore ? toolCalls([{ name, args: {} }]) : text('done');
  });
  try {
    const request = {
      model: 'gemini-2.5-pro',
      input: 'Hi',
      deadlineAtMs: clock.now() + 300_000,
      toolSources: [source],
    };
    for await (const event of runner.run(request, new AbortController().signal)) {
      if (event.type === 'failure') {
        throw new Error(`A run failed: ${JSON.stringify(event.failure)}`);
      }
    }
  } finally {
    await Promise.all([close(), endpoint.close()]);
    await api.close();
  }
  const series = new Series();
  moments.slice(stepsBefore, -1).forEach((moment, index) => {
    series.add((moments[index + stepsBefore + 1] ?? moment) - moment);
  });
  return series;
}

type RunnerParts = {
  readonly way: StepWay;
  readonly api: OfflineGeminiApi;
  readonly clock: SystemClock;
  readonly endpoint: LendingEndpoint;
};

async function openRunner(
  workbench: Workbench,
  { way, api, clock, endpoint }: RunnerParts,
): Promise<{ readonly runner: GeminiRunner; readonly close: () => Promise<void> }> {
  const { GEMINI_API_KEY: apiKey } = api.environment();
  if (way === 'api') {
    const runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: api.url, clock });
    return { runner, close: () => runner.close() };
  }
  const home = await workbench.makeDirectory();
  const options = {
    clock,
    environment: { PATH: process.env['PATH'], HOME: home, GEMINI_MCP_CLI: geminiPath, ...api.environment() },
    runsDirectory: join(home, 'runs'),
    userDirectory: join(home, '.gemini'),
    toolEndpoint: endpoint,
  };
  const warm = new WarmGeminiRunner(options);
  return { runner: way === 'warm' ? warm : new CliGeminiRunner(options), close: () => warm.close() };
}
