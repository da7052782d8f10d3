import { type Benchmark, below } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { headless, setUpQueries } from './query-setup.ts';
import { prepareResume } from './resume-run.ts';
import { runToEnd } from './run-to-end.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';

/** The next message of a conversation by the headless runner, against the CLI's own way to go on with a session. */
export const chatTurn: Benchmark = {
  name: 'chat',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const setup = headless(await setUpQueries(workbench));
    const { model } = setup.query;
    const server = await startServer(workbench, setup, geminiPath);
    await server.call('chat', { prompt: 'Hello', model });
    const resume = await prepareResume(workbench, setup);
    const [bare, ours] = [new Series(), new Series()];
    await interleave(rounds, [
      async () => {
        const { durationMs } = await runToEnd(workbench, resume);
        return [{ series: bare, figure: durationMs }];
      },
      async () => [{ series: ours, figure: await server.call('chat-reply', { prompt: 'And then?' }) }],
    ]);
    await server.close();
    const what = 'Headless: next message of a conversation, against `gemini --resume … --prompt …`';
    return [{ what, unit: 'ms', baseline: bare.median, ours: ours.median, target: below(1) }];
  },
};
