import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { headless, setUpQueries } from './query-setup.ts';
import { placeOfMoments, preciseNow, type RunMoments } from './run-moments.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';

const timedRunProgram = fileURLToPath(new URL('./programs/timed-run.js', import.meta.url));

type Moments = RunMoments & { readonly asked: number; readonly told: number };

/** The phases of a call in their order, each with the moments between which it lies. */
const phases: readonly { readonly what: string; readonly from: keyof Moments; readonly to: keyof Moments }[] = [
  { what: 'the request; reading the files, writing the message', from: 'asked', to: 'directory' },
  { what: 'the directory of the run; starting the process', from: 'directory', to: 'process' },
  { what: 'the CLI boots', from: 'process', to: 'ready' },
  { what: 'the CLI asks, the API answers', from: 'ready', to: 'answered' },
  { what: 'ending the CLI, clearing up; the answer', from: 'answered', to: 'told' },
];

/** Where the time of a call of the headless runner goes. */
export const callPhases: Benchmark = {
  name: 'phases',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const setup = headless(await setUpQueries(workbench));
    const server = await startServer(workbench, setup, timedRunProgram);
    const measured = phases.map((phase) => ({ ...phase, series: new Series() }));
    for (let round = 0; round <= rounds; round += 1) {
      const asked = preciseNow();
      await server.ask();
      const told = preciseNow();
      const run: RunMoments = JSON.parse(await readFile(placeOfMoments(setup.home), 'utf8'));
      const moments: Moments = { ...run, asked, told };
      // The first call of a server looks for the CLI as well.
      for (const { series, from, to } of round === 0 ? [] : measured) {
        series.add(moments[to] - moments[from]);
      }
    }
    await server.close();
    return measured.map(({ what, series }) => ({
      what: `Of a headless \`gemini_query\`: ${what}`,
      unit: 'ms',
      baseline: null,
      ours: series.median,
      target: null,
    }));
  },
};
