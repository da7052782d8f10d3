import { atMost, type Benchmark, figureBelow } from './benchmark.ts';
import { startOfflineApi } from './offline-api.ts';
import { geminiPath } from './project-paths.ts';
import { setUpQueries, smallSize } from './query-setup.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';
import { treeMemory } from './tree-memory.ts';

/** All that a server of the standard size takes on at once. */
const calls = 36;
const apiDelayMs = 1_000;
const samplingMs = 100;
const bytesPerMegabyte = 1_000_000;

/** Of the standard size. */
const concurrency = 4;

/** Processes of the pool, the memory of each from which on it is replaced, and what the server itself may take. */
const memoryLimitMegabytes = 4 * 734 + 250;

/** Many calls at once, against the least that the API's own time allows. */
export const burst: Benchmark = {
  name: 'burst',
  defaultRounds: 2,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench, smallSize);
    const environment = {
      ...setup.environment,
      ...(await startOfflineApi(workbench, apiDelayMs)),
    };
    const server = await startServer(workbench, { ...setup, environment }, geminiPath);
    await server.ask();
    const [duration, memory] = [new Series(), new Series()];
    for (let round = 0; round < rounds; round += 1) {
      let peak = 0;
      const sampler = setInterval(() => {
        peak = Math.max(peak, treeMemory(server.pid));
      }, samplingMs);
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: calls }, server.ask)).finally(() => clearInterval(sampler));
      duration.add(performance.now() - startedAt);
      memory.add(peak / bytesPerMegabyte);
    }
    await server.close();
    const what = `${calls} calls at once, the API takes 1 s, ${concurrency} at a time`;
    const ideal = (calls / concurrency) * apiDelayMs;
    return [
      { what: `${what}; against the ideal`, unit: 'ms', baseline: ideal, ours: duration.median, target: atMost(3) },
      {
        what: 'The same: most memory of the server and its processes',
        unit: 'MB',
        baseline: null,
        ours: memory.median,
        target: figureBelow(memoryLimitMegabytes),
      },
    ];
  },
};
