import { setTimeout as sleep } from 'node:timers/promises';
import { startAcpClient } from './acp-client.ts';
import { type Benchmark, type Comparison, timesFaster } from './benchmark.ts';
import { interleave, type Reading } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { setUpQueries, smallSize } from './query-setup.ts';
import { recordRun } from './recorded-run.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';
import { timeCalls } from './time-calls.ts';
import { prepareUsualRun } from './usual-run.ts';
import type { Workbench } from './workbench.ts';

/** What a client leaves between two calls at the least. */
const pauseMs = 250;
const callsPerRound = 5;

/** A gemini_query with a small context on a server that has had its first call, against what a user would type instead. */
export const warmCall: Benchmark = {
  name: 'warm',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const series = { cold: new Series(), paused: new Series(), hurried: new Series() };
    const bare = { anew: new Series(), ready: new Series() };
    const firstMs = await measure({ workbench, rounds, ...series, ...bare });
    const what = '`gemini_query`, small context, warm';
    const against = { unit: 'ms', baseline: series.cold.median } as const;
    const target = timesFaster(50);
    const rows: readonly Omit<Comparison, keyof typeof against>[] = [
      { what: `${what}, every ${pauseMs} ms; against \`gemini -p\``, ours: series.paused.median, target },
      { what: `${what}, back to back; against \`gemini -p\``, ours: series.hurried.median, target },
      { what: 'A bare ACP client, new session and prompt; against `gemini -p`', ours: bare.anew.median, target: null },
      { what: 'A bare ACP client, ready session; against `gemini -p`', ours: bare.ready.median, target: null },
      { what: 'The first call of that server; against `gemini -p`', ours: firstMs, target: null },
    ];
    return rows.map((row) => ({ ...against, ...row }));
  },
};

type MeasureOptions = {
  readonly workbench: Workbench;
  readonly rounds: number;
  readonly cold: Series;
  readonly paused: Series;
  readonly hurried: Series;
  readonly anew: Series;
  readonly ready: Series;
};

/** Resolves to the time of the server's first call. */
async function measure(options: MeasureOptions): Promise<number> {
  const { workbench, rounds, cold, paused, hurried, anew, ready } = options;
  const setup = await setUpQueries(workbench, smallSize);
  const recorded = await recordRun(workbench, setup);
  const usual = await prepareUsualRun(workbench, setup, recorded);
  const server = await startServer(workbench, setup, geminiPath);
  const firstMs = await server.ask();
  const bare = await startAcpClient(workbench, setup, recorded);
  await interleave(rounds, [
    async () => [{ series: cold, figure: (await runToEnd(workbench, usual)).durationMs }],
    async () => {
      const readings: Reading[] = [];
      for (let call = 0; call < callsPerRound; call += 1) {
        await sleep(pauseMs);
        readings.push({ series: paused, figure: await server.ask() });
      }
      return readings;
    },
    () => timeCalls(hurried, callsPerRound, server.ask),
    () => timeCalls(anew, callsPerRound, async () => bare.prompt(await bare.openSession(), recorded.input)),
    async () => {
      const session = await bare.openSession();
      return timeCalls(ready, callsPerRound, () => bare.prompt(session, recorded.input));
    },
  ]);
  await server.close();
  await bare.close();
  return firstMs;
}
