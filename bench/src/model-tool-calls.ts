import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { ToolProvider } from '@gemini-mcp/core';
import { startOfflineGeminiApi, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { atMost, type Benchmark, figureBelow, type Row } from './benchmark.ts';
import { startBareServer } from './http/http-server.ts';
import { WireClient } from './http/wire-client.ts';
import { inTurns, median, quantile, repeat, timed } from './in-turns.ts';
import { ownProgram, readLine, type Workbench } from './workbench.ts';

/** Consecutive calls before the other side's turn. */
const callsInTurn = 50;

/** V8 has compiled what a call uses by then. */
const callsBefore = 500;

const [callsOfRun, callsOfBeginning] = [10_000, 1_000];
const bytesPerMegabyte = 1_000_000;

/** More than the connections of one client can vary by. */
const descriptorsSpare = 8;

/** Calls of model tools: at the endpoint against a server of the SDK alone, 10,000 in a row, and in a run over the API. */
export const calledTools: Benchmark = {
  name: 'tool-calls',
  defaultRounds: 40,
  run: async (workbench, rounds) => {
    const { target } = await startBareServer(workbench, 'stateless', 'Done.');
    const [bare, ours] = [await WireClient.open(target), await openOurs(workbench)];
    await repeat(callsBefore, async () => [await bare.call(), await ours.call()]);
    const times = await inTurns(rounds, [
      async () => ({ bare: await repeat(callsInTurn, () => timed(() => bare.call())) }),
      async () => ({ ours: await repeat(callsInTurn, () => timed(() => ours.call())) }),
    ]);
    const growth = await measureGrowth(ours);
    bare.close();
    ours.close();
    const what = 'A call of a model tool, there and back, without the tool';
    return [
      { what: `${what}: p50`, ours: median(times.ours), target: figureBelow(5) },
      {
        what: `${what}; against a server of the SDK alone`,
        baseline: median(times.bare),
        ours: median(times.ours),
        target: atMost(1.5),
      },
      { what: `${what}: p99`, ours: quantile(times.ours, 0.99) },
      growth,
      { what: 'A step of a run over the API: p50', ours: median(await timeSteps(100)), target: figureBelow(5) },
    ];
  },
};

async function openOurs(workbench: Workbench): Promise<WireClient> {
  const { url, token } = JSON.parse(await readLine(workbench.start(ownProgram('model-tools')).stdout));
  // The endpoint counts its client's ids from 0 on.
  return WireClient.open({ url, token, isStateful: false, tool: { name: 'do_nothing', arguments: {} } }, 0);
}

/** Throws if descriptors grow. */
async function measureGrowth(client: WireClient): Promise<Row> {
  await repeat(callsOfBeginning, () => client.call());
  const before = await readUse(client);
  await repeat(callsOfRun - callsOfBeginning, () => client.call());
  const after = await readUse(client);
  if (after.descriptors > before.descriptors + descriptorsSpare) {
    throw new Error(`The descriptors grew from ${before.descriptors} to ${after.descriptors}`);
  }
  return {
    what: `Memory that the calls ${callsOfBeginning} to ${callsOfRun} of one run leave in use`,
    unit: 'MB',
    ours: (after.bytes - before.bytes) / bytesPerMegabyte,
    target: figureBelow(2, 'MB'),
  };
}

async function readUse(client: WireClient): Promise<{ readonly bytes: number; readonly descriptors: number }> {
  const answer = await client.call({ name: 'measure', arguments: {} });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? '');
  return result.structuredContent;
}

/**
 * The times of the steps of a run, with a tool that does nothing and a model that answers at once: from one request's arrival at the API to the
 * next one's, which carries the result of the call in between.
 */
async function timeSteps(steps: number): Promise<readonly number[]> {
  const stepsBefore = 10;
  const moments: number[] = [];
  const api = await startOfflineGeminiApi({
    maxRecorded: 1,
    reply: (_, index) => {
      moments.push(performance.now());
      return index < steps + stepsBefore ? toolCalls([{ name: 'look', args: {} }]) : text('done');
    },
  });
  const { GEMINI_API_KEY: apiKey } = api.environment();
  const clock = new SystemClock();
  const runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: api.url, clock });
  const source: ToolProvider = {
    list: async () => [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, changes: false }],
    call: async () => ({ text: 'Seen.', data: {}, isDone: true }),
  };
  const deadlineAtMs = clock.now() + 300_000;
  const request = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs, toolProviders: [source] };
  try {
    for await (const event of runner.run(request, new AbortController().signal)) {
      if (event.type === 'failure') {
        throw new Error(`A run failed: ${JSON.stringify(event.failure)}`);
      }
    }
  } finally {
    await runner.close();
    await api.close();
  }
  return moments.slice(stepsBefore + 1).map((moment, index) => moment - (moments[stepsBefore + index] ?? moment));
}
