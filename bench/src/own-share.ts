import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Comparison, figureBelow } from './benchmark.ts';
import { setUpQueries, smallSize } from './query-setup.ts';
import { type PromptMoments, placeOfMoments, preciseNow } from './run-moments.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';

const timedAcpProgram = fileURLToPath(new URL('./programs/timed-acp.js', import.meta.url));

/** Calls that come before those that count: V8 has compiled what they use by then. */
const callsBefore = 10;

/** In the way of a client, which thinks between its calls, and as quickly as it goes. */
const pausesMs = [250, 0] as const;

/**
 * What a warm gemini_query takes beside what the CLI takes for its prompt: from the client's request to its answer, less the
 * time from when the prompt reached the CLI's process to when that had the whole answer.
 */
export const ownShare: Benchmark = {
  name: 'share',
  defaultRounds: 60,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench, smallSize);
    const server = await startServer(workbench, setup, timedAcpProgram);
    const comparisons: Comparison[] = [];
    for (const pauseMs of pausesMs) {
      const [before, prompt, after, share] = [new Series(), new Series(), new Series(), new Series()] as const;
      for (let call = 0; call < callsBefore + rounds; call += 1) {
        await sleep(pauseMs);
        const asked = preciseNow();
        await server.ask();
        const told = preciseNow();
        const { received, replied }: PromptMoments = JSON.parse(await readFile(placeOfMoments(setup.home), 'utf8'));
        if (call >= callsBefore) {
          before.add(received - asked);
          prompt.add(replied - received);
          after.add(told - replied);
          share.add(told - asked - (replied - received));
        }
      }
      comparisons.push(...describe(pauseMs, { before, prompt, after, share }));
    }
    await server.close();
    return comparisons;
  },
};

type Phases = { readonly before: Series; readonly prompt: Series; readonly after: Series; readonly share: Series };

function describe(pauseMs: number, { before, prompt, after, share }: Phases): readonly Comparison[] {
  const what = `Of a warm \`gemini_query\`, ${pauseMs === 0 ? 'back to back' : `every ${pauseMs} ms`}:`;
  const row = (name: string, series: Series, target: Comparison['target']): Comparison => ({
    what: `${what} ${name}`,
    unit: 'ms',
    baseline: null,
    ours: series.median,
    target,
  });
  return [
    row('until the prompt is with the CLI', before, null),
    row('the CLI and the API', prompt, null),
    row('until the client has the answer', after, null),
    row('our own share, p50', share, pauseMs === 0 ? null : figureBelow(10)),
  ];
}
