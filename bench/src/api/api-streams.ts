import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { atMost, type Benchmark, figureBelow } from '../benchmark.ts';
import { interleave, type Measure } from '../interleave.ts';
import { serverPath } from '../project-paths.ts';
import { smallSize } from '../query-setup.ts';
import { preciseNow } from '../run-moments.ts';
import { runToEnd } from '../run-to-end.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { type ApiSetup, noCli, setUpApi } from './api-setup.ts';
import { longAnswerPrompt, piecesOfLongAnswer, stampMark, stampPrompt } from './prompts.ts';

const readStreamProgram = fileURLToPath(new URL('../programs/read-stream.js', import.meta.url));
const answersAProcess = 3;

/** Streams over the API: how soon their first text is with the client, and the processor time of a long one. */
export const apiStreams: Benchmark = {
  name: 'api-stream',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const setup = await setUpApi(workbench, smallSize);
    const delays = await measureFirstText(workbench, setup, rounds);
    const [plain, ours] = [new Series(), new Series()];
    await interleave(Math.ceil(rounds / answersAProcess), [
      readBy(workbench, setup, 'plain', plain),
      readBy(workbench, setup, 'runner', ours),
    ]);
    const first = "From the API's first piece of text to the client, progress of MCP";
    return [
      { what: `${first}: p50`, unit: 'ms', baseline: null, ours: delays.median, target: figureBelow(5) },
      { what: `${first}: p99`, unit: 'ms', baseline: null, ours: delays.quantile(0.99), target: null },
      {
        what: `Processor time of a stream of ${piecesOfLongAnswer} pieces; against a plain reader`,
        unit: 'ms',
        baseline: plain.median,
        ours: ours.median,
        target: atMost(2),
      },
    ];
  },
};

/** Both read the same answer, each in a process of its own. */
function readBy(workbench: Workbench, { url, apiKey, query }: ApiSetup, way: string, series: Series): Measure {
  return async () => {
    const { stdout } = await runToEnd(workbench, {
      file: process.execPath,
      arguments: [readStreamProgram, way, url, apiKey, query.model, longAnswerPrompt, `${answersAProcess}`],
      cwd: workbench.directory,
      environment: {},
      input: '',
    });
    const figures: readonly number[] = JSON.parse(stdout);
    return figures.map((figure) => ({ series, figure }));
  };
}

async function measureFirstText(workbench: Workbench, setup: ApiSetup, rounds: number): Promise<Series> {
  const client = new Client({ name: 'gemini-mcp-bench', version: '1.0.0' });
  workbench.onClose(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [serverPath],
      cwd: setup.project,
      env: { ...setup.environment, GEMINI_MCP_CLI: noCli },
      stderr: 'ignore',
    }),
  );
  const delays = new Series();
  // One more comes first: it loads what a call needs.
  for (let round = 0; round <= rounds; round += 1) {
    const delayMs = await timeFirstText(client, setup);
    if (round > 0) {
      delays.add(delayMs);
    }
  }
  await client.close();
  return delays;
}

async function timeFirstText(client: Client, { query }: ApiSetup): Promise<number> {
  let delayMs: number | null = null;
  await client.callTool({ name: 'gemini_query', arguments: { prompt: stampPrompt, model: query.model } }, undefined, {
    onprogress: ({ message = '' }) => {
      const sentAt = new RegExp(`${stampMark}([\\d.]+)`).exec(message)?.[1];
      if (sentAt !== undefined) {
        delayMs ??= preciseNow() - Number(sentAt);
      }
    },
  });
  if (delayMs === null) {
    throw new Error('No text came before the answer');
  }
  return delayMs;
}
