import { type Benchmark, type Comparison, timesFaster } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { type QuerySetup, setUpQueries, smallSize } from './query-setup.ts';
import { prepareResume } from './resume-run.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';
import { timeCalls } from './time-calls.ts';
import type { Workbench } from './workbench.ts';

const repliesPerRound = 5;

/** The next message of a conversation on a server that keeps its session, against the CLI's own way to go on with one. */
export const warmChat: Benchmark = {
  name: 'chat-warm',
  defaultRounds: 7,
  run: async (workbench, rounds) => {
    const small = await setUpQueries(workbench, smallSize);
    // No call may look where the server keeps its own files.
    const own = await workbench.makeDirectory();
    const nowhere = { ...small, project: own, environment: { ...small.environment, GEMINI_MCP_STATE_DIR: own } };
    const large = await setUpQueries(workbench, { files: 900, bytes: 11_000_000 });
    return [
      await compare(workbench, { rounds, setup: nowhere, what: 'no directory' }),
      await compare(workbench, {
        rounds,
        setup: large,
        what: 'a directory of 900 files, 11 MB, that it may look into',
      }),
    ];
  },
};

type CompareOptions = { readonly rounds: number; readonly setup: QuerySetup; readonly what: string };

async function compare(workbench: Workbench, { rounds, setup, what }: CompareOptions): Promise<Comparison> {
  const { model } = setup.query;
  const server = await startServer(workbench, setup, geminiPath);
  const resume = await prepareResume(workbench, setup);
  const [bare, ours] = [new Series(), new Series()];
  await interleave(rounds, [
    async () => [{ series: bare, figure: (await runToEnd(workbench, resume)).durationMs }],
    async () => {
      await server.call('chat', { prompt: 'Hello', model });
      return timeCalls(ours, repliesPerRound, () => server.call('chat-reply', { prompt: 'And then?' }));
    },
  ]);
  await server.close();
  return {
    what: `Next message of a warm conversation, ${what}; against \`gemini --resume … --prompt …\``,
    unit: 'ms',
    baseline: bare.median,
    ours: ours.median,
    target: timesFaster(80),
  };
}
