import { atMost, type Benchmark, figureBelow } from './benchmark.ts';
import { inTurns, median, quantile } from './in-turns.ts';
import {
  longAnswer,
  type OfflinePlace,
  openOfflinePlace,
  preciseNow,
  smallSize,
  stampedAnswer,
} from './offline-place.ts';
import { noCli, type RunningServer, startServer } from './stdio-server.ts';
import { ownProgram, type Workbench } from './workbench.ts';

const answersOfProcess = 3;

/** Streams over the API: the delay of their first text, and the processor time of a long one. */
export const apiStreams: Benchmark = {
  name: 'api-stream',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const place = await openOfflinePlace(workbench, smallSize, 'api');
    const server = await startServer(workbench, { ...place, cliPath: noCli });
    const { delays } = await inTurns(rounds, [async () => ({ delays: await timeFirstText(server, place) })]);
    await server.close();
    const times = await inTurns(Math.ceil(rounds / answersOfProcess), [
      async () => ({ plain: await readBy('plain', workbench, place) }),
      async () => ({ ours: await readBy('runner', workbench, place) }),
    ]);
    const first = "From the API's first piece of text to the client, progress of MCP";
    return [
      { what: `${first}: p50`, ours: median(delays), target: figureBelow(5) },
      { what: `${first}: p99`, ours: quantile(delays, 0.99) },
      {
        what: `Processor time of a stream of ${longAnswer.pieces} pieces; against a plain reader`,
        baseline: median(times.plain),
        ours: median(times.ours),
        target: atMost(2),
      },
    ];
  },
};

/** Both ways read the same answer, each in a process of its own. */
async function readBy(
  way: 'plain' | 'runner',
  workbench: Workbench,
  { query, environment }: OfflinePlace,
): Promise<readonly number[]> {
  const program = ownProgram('read-stream', way, query.model, longAnswer.prompt, `${answersOfProcess}`);
  const { stdout } = await workbench.run({ ...program, environment });
  return JSON.parse(stdout);
}

async function timeFirstText({ client }: RunningServer, { query }: OfflinePlace): Promise<number> {
  let delayMs: number | null = null;
  const args = { prompt: stampedAnswer.prompt, model: query.model };
  await client.callTool({ name: 'gemini_query', arguments: args }, undefined, {
    onprogress: ({ message = '' }) => {
      const sentAt = new RegExp(`${stampedAnswer.mark}([\\d.]+)`).exec(message)?.[1];
      delayMs ??= sentAt === undefined ? null : preciseNow() - Number(sentAt);
    },
  });
  if (delayMs === null) {
    throw new Error('No text came before the answer');
  }
  return delayMs;
}
