import type { Benchmark } from './benchmark.ts';
import { geminiPath } from './project-paths.ts';
import { setUpQueries } from './query-setup.ts';
import { residentMemory } from './resident-memory.ts';
import { Series } from './series.ts';
import { startServer } from './server-client.ts';

const bytesPerMegabyte = 1_000_000;

/** What a server keeps in memory while it has nothing to do. */
export const serverMemory: Benchmark = {
  name: 'memory',
  defaultRounds: 5,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench);
    const [started, asked] = [new Series(), new Series()];
    for (let round = 0; round < rounds; round += 1) {
      const server = await startServer(workbench, setup, geminiPath);
      addMemory(started, server.pid);
      await server.ask();
      addMemory(asked, server.pid);
      await server.close();
    }
    const row = (what: string, series: Series) => ({
      what: `Memory of an idle server, ${what}`,
      unit: 'MB' as const,
      baseline: null,
      ours: series.median,
      target: null,
    });
    return started.isEmpty ? [] : [row('before its first call', started), row('after it', asked)];
  },
};

function addMemory(series: Series, pid: number): void {
  const memory = residentMemory(pid);
  if (memory !== null) {
    series.add(memory.now / bytesPerMegabyte);
  }
}
