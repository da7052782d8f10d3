import { setTimeout as sleep } from 'node:timers/promises';
import { startAcpClient } from './acp-client.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { geminiPath } from './project-paths.ts';
import { setUpQueries } from './query-setup.ts';
import { recordRun } from './recorded-run.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';

/** What a message of ours adds still fits into what the CLI takes: 4.18 million characters. */
const size = { files: 100, bytes: 4_000_000 };
const pauseMs = 500;

/** A large context on a warm server, against a bare client of the protocol that is given the same text at once. */
export const largeContext: Benchmark = {
  name: 'large',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench, size);
    const recorded = await recordRun(workbench, setup);
    const server = await startServer(workbench, setup, geminiPath);
    await server.ask();
    const client = await startAcpClient(workbench, setup, recorded);
    const [bare, ours] = [new Series(), new Series()];
    await interleave(rounds, [
      async () => {
        const session = await client.openSession();
        await sleep(pauseMs);
        const startedAt = performance.now();
        await client.prompt(session, recorded.input);
        return [{ series: bare, figure: performance.now() - startedAt }];
      },
      async () => {
        await sleep(pauseMs);
        return [{ series: ours, figure: await server.ask() }];
      },
    ]);
    await server.close();
    await client.close();
    const what = `Warm \`gemini_query\`, ${(recorded.input.length / 1_000_000).toFixed(1)} million characters`;
    return [
      {
        what: `${what}; against a bare ACP client`,
        unit: 'ms',
        baseline: bare.median,
        ours: ours.median,
        target: atMost(2),
      },
    ];
  },
};
