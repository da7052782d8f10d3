import { atMost, type Benchmark, below } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { headless, type QuerySetup, setUpQueries } from './query-setup.ts';
import { prepareReplay, type RecordedRun, recordRun } from './recorded-run.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';
import { prepareUsualRun } from './usual-run.ts';
import type { Workbench } from './workbench.ts';

/** A whole gemini_query of the headless runner with the real Gemini CLI, against that CLI alone. */
export const wholeCall: Benchmark = {
  name: 'call',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const setup = headless(await setUpQueries(workbench));
    const recorded = await recordRun(workbench, setup);
    const usual = await prepareUsualRun(workbench, setup, recorded);
    const [bare, first, later, relaunched] = [new Series(), new Series(), new Series(), new Series()];
    await interleave(rounds, [
      async () => [{ series: bare, figure: await replay(workbench, setup, recorded) }],
      async () => {
        const server = await startServer(workbench, setup, geminiPath);
        const [firstMs, laterMs] = [await server.ask(), await server.ask()];
        await server.close();
        return [
          { series: first, figure: firstMs },
          { series: later, figure: laterMs },
        ];
      },
      async () => [{ series: relaunched, figure: (await runToEnd(workbench, usual)).durationMs }],
    ]);
    const what = 'Headless `gemini_query` against';
    const common = { unit: 'ms', ours: later.median } as const;
    return [
      { ...common, what: `${what} the bare \`gemini\` process`, baseline: bare.median, target: atMost(1.05) },
      { ...common, what: `${what} \`gemini -p\``, baseline: relaunched.median, target: below(1) },
      {
        ...common,
        what: `The first headless one of a server`,
        baseline: bare.median,
        ours: first.median,
        target: null,
      },
    ];
  },
};

async function replay(workbench: Workbench, setup: QuerySetup, recorded: RecordedRun): Promise<number> {
  const { durationMs, stdout } = await runToEnd(workbench, await prepareReplay(workbench, setup, recorded));
  if (!stdout.includes('"status":"success"')) {
    throw new Error(`The bare gemini did not answer but said: ${stdout.slice(-500)}`);
  }
  return durationMs;
}
