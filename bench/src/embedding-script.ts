import { fileURLToPath } from 'node:url';
import { type Benchmark, below } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { type QuerySetup, setUpQueries } from './query-setup.ts';
import { prepareReplay, recordRun } from './recorded-run.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import { prepareUsualRun } from './usual-run.ts';
import type { Workbench } from './workbench.ts';

const warmProgram = fileURLToPath(new URL('./programs/ask-script.js', import.meta.url));
const headlessProgram = fileURLToPath(new URL('./programs/ask-script-headless.js', import.meta.url));

/** A program that embeds Gemini and asks once, from its start to its exit, against the CLI alone. */
export const embeddingScript: Benchmark = {
  name: 'script',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench);
    const recorded = await recordRun(workbench, setup);
    const usual = await prepareUsualRun(workbench, setup, recorded);
    const [relaunched, bare, script, headless] = [new Series(), new Series(), new Series(), new Series()];
    await interleave(rounds, [
      async () => [{ series: relaunched, figure: (await runToEnd(workbench, usual)).durationMs }],
      // A run right after two boots on all cores is slower: better a baseline without a target.
      async () => {
        const replay = await prepareReplay(workbench, setup, recorded);
        return [{ series: bare, figure: (await runToEnd(workbench, replay)).durationMs }];
      },
      async () => [{ series: script, figure: await timeScript(workbench, setup, warmProgram) }],
      async () => [{ series: headless, figure: await timeScript(workbench, setup, headlessProgram) }],
    ]);
    const what = 'A script with `createGemini`, start to exit; against';
    const common = { unit: 'ms', ours: script.median } as const;
    return [
      { ...common, what: `${what} \`gemini -p\``, baseline: relaunched.median, target: below(1) },
      { ...common, what: `${what} the bare \`gemini\` process`, baseline: bare.median, target: null },
      { ...common, what: `${what} the same with \`CliGeminiRunner\``, baseline: headless.median, target: null },
    ];
  },
};

async function timeScript(workbench: Workbench, setup: QuerySetup, program: string): Promise<number> {
  const { durationMs, stdout } = await runToEnd(workbench, {
    file: process.execPath,
    arguments: [program],
    cwd: setup.project,
    environment: { ...setup.environment, GEMINI_MCP_CLI: geminiPath },
    input: '',
  });
  if (!stdout.includes('41 files')) {
    throw new Error(`The script did not get its answer but said: ${stdout.slice(-500)}`);
  }
  return durationMs;
}
