import { atMost, type Benchmark, type Comparison } from './benchmark.ts';
import { geminiPath } from './project-paths.ts';
import { setUpQueries, smallSize } from './query-setup.ts';
import { residentMemory } from './resident-memory.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';
import { treeMemory } from './tree-memory.ts';

const bytesPerMegabyte = 1_000_000;

/** As part of all calls: what comes after the first tenth, and the end. Each sees several processes come and go. */
const windows = { early: [0.1, 0.3], late: [0.8, 1] } as const;

type Reading = { readonly durationMs: number; readonly serverBytes: number; readonly allBytes: number };

/** Many calls, one after the other: whether the last ones are as quick as the first, and as small. */
export const steadyUse: Benchmark = {
  name: 'steady',
  defaultRounds: 1_000,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench, smallSize);
    const server = await startServer(workbench, setup, geminiPath);
    const readings: Reading[] = [];
    for (let call = 0; call < rounds; call += 1) {
      const durationMs = await server.ask();
      readings.push({
        durationMs,
        serverBytes: residentMemory(server.pid)?.now ?? 0,
        allBytes: treeMemory(server.pid),
      });
    }
    await server.close();
    const [early, late] = [windowOf(readings, windows.early), windowOf(readings, windows.late)];
    const row = (name: string, unit: Comparison['unit'], of: (window: Window) => number): Comparison => ({
      what: `${rounds} calls, back to back, the last fifth against the second: ${name}`,
      unit,
      baseline: of(early),
      ours: of(late),
      target: atMost(1.2),
    });
    return [
      row('latency, p50', 'ms', ({ latencyMs }) => latencyMs),
      row('most memory of the server', 'MB', ({ serverMegabytes }) => serverMegabytes),
      row('most memory of the server and its processes', 'MB', ({ allMegabytes }) => allMegabytes),
    ];
  },
};

type Window = { readonly latencyMs: number; readonly serverMegabytes: number; readonly allMegabytes: number };

function windowOf(readings: readonly Reading[], [from, to]: readonly [number, number]): Window {
  const latency = new Series();
  const [server, all] = [new Series(), new Series()];
  for (const { durationMs, serverBytes, allBytes } of readings.slice(from * readings.length, to * readings.length)) {
    latency.add(durationMs);
    server.add(serverBytes / bytesPerMegabyte);
    all.add(allBytes / bytesPerMegabyte);
  }
  return { latencyMs: latency.median, serverMegabytes: server.greatest, allMegabytes: all.greatest };
}
