import { fileURLToPath } from 'node:url';
import { atMost, type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { interleave, type Measure } from '../interleave.ts';
import { readLine } from '../read-line.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { PlainMcpClient } from './plain-mcp-client.ts';
import { type StepWay, timeSteps } from './timed-steps.ts';

const lentToolsProgram = fileURLToPath(new URL('../programs/lent-tools.js', import.meta.url));
const bareServerProgram = fileURLToPath(new URL('../programs/bare-http-server.js', import.meta.url));

/** So many calls come one right after the other before the other side has its turn. */
const callsInTurn = 50;

/** V8 has compiled what a call uses by then. */
const callsBefore = 500;

const [callsOfRun, callsOfBeginning] = [10_000, 1_000];
const bytesPerMegabyte = 1_000_000;

/** More than the connections of one client can vary by. */
const descriptorsSpare = 8;

const ways: readonly (readonly [StepWay, string])[] = [
  ['api', 'A step of a run over the API'],
  ['warm', 'The same on a warm process of the CLI, most of it the CLI'],
  ['headless', 'The same on a process of the CLI for the run, most of it the CLI'],
];

/** Calls of lent tools: at the endpoint against a server of the SDK alone, in runs, and 10,000 in a row. */
export const toolCalls: Benchmark = {
  name: 'tool-calls',
  defaultRounds: 40,
  run: async (workbench, rounds) => {
    const [bare, ours] = [await openBare(workbench), await openOurs(workbench)];
    const [bareTime, ourTime] = [new Series(), new Series()];
    await interleave(rounds, [callsTo(bare, 'any', bareTime), callsTo(ours, 'do_nothing', ourTime)]);
    const what = 'A call of a lent tool, there and back, without the tool';
    return [
      { what: `${what}: p50`, unit: 'ms', baseline: null, ours: ourTime.median, target: figureBelow(5) },
      {
        what: `${what}; against a server of the SDK alone`,
        unit: 'ms',
        baseline: bareTime.median,
        ours: ourTime.median,
        target: atMost(1.5),
      },
      { what: `${what}: p99`, unit: 'ms', baseline: null, ours: ourTime.quantile(0.99), target: null },
      await measureGrowth(ours),
      ...(await timeRuns(workbench)),
    ];
  },
};

async function timeRuns(workbench: Workbench): Promise<readonly Comparison[]> {
  const rows: Comparison[] = [];
  for (const [way, what] of ways) {
    const steps = await timeSteps(workbench, way, 100);
    const target = way === 'api' ? figureBelow(5) : null;
    rows.push({ what: `${what}: p50`, unit: 'ms', baseline: null, ours: steps.median, target });
  }
  return rows;
}

/** Throws where descriptors grow. */
async function measureGrowth(client: PlainMcpClient): Promise<Comparison> {
  await callOften(client, callsOfBeginning);
  const before = await readUse(client);
  await callOften(client, callsOfRun - callsOfBeginning);
  const after = await readUse(client);
  if (after.descriptors > before.descriptors + descriptorsSpare) {
    throw new Error(`The descriptors grew from ${before.descriptors} to ${after.descriptors}`);
  }
  return {
    what: `Memory that the calls ${callsOfBeginning} to ${callsOfRun} of one run leave in use`,
    unit: 'MB',
    baseline: null,
    ours: (after.bytes - before.bytes) / bytesPerMegabyte,
    target: figureBelow(2),
  };
}

async function callOften(client: PlainMcpClient, count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    await client.call('do_nothing');
  }
}

async function readUse(client: PlainMcpClient): Promise<{ readonly bytes: number; readonly descriptors: number }> {
  const { result } = JSON.parse(await client.call('measure'));
  return result.structuredContent;
}

function callsTo(client: PlainMcpClient, name: string, series: Series): Measure {
  return async () => {
    const readings = [];
    for (let call = 0; call < callsInTurn; call += 1) {
      const startedAt = performance.now();
      await client.call(name);
      readings.push({ series, figure: performance.now() - startedAt });
    }
    return readings;
  };
}

async function openOurs(workbench: Workbench): Promise<PlainMcpClient> {
  const { stdout } = start(workbench, [lentToolsProgram]);
  const { url, token } = JSON.parse(await readLine(stdout));
  return connect(workbench, url, { authorization: `Bearer ${token}` });
}

async function openBare(workbench: Workbench): Promise<PlainMcpClient> {
  const { stderr } = start(workbench, [bareServerProgram, 'stateless', 'Done.']);
  const url = /http:\S+/.exec(await readLine(stderr))?.[0] ?? '';
  return connect(workbench, url, {});
}

function start(workbench: Workbench, words: readonly string[]): ReturnType<Workbench['start']> {
  return workbench.start({ file: process.execPath, arguments: words, cwd: workbench.directory, environment: {} });
}

async function connect(
  workbench: Workbench,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<PlainMcpClient> {
  const client = new PlainMcpClient(url, headers);
  workbench.onClose(async () => client.close());
  await callOften(client, callsBefore);
  return client;
}
