import { atLeast, type Benchmark, type Comparison } from '../benchmark.ts';
import { interleave, type Measure } from '../interleave.ts';
import { processorTime } from '../processor-time.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { loadServer } from './http-load.ts';
import { type HttpMode, type StartedHttpServer, startHttpPair } from './start-http-server.ts';

const load = { clients: 16, warmUpMs: 500, durationMs: 3_000 } as const;

/** Once for each server: V8 has compiled what is used by then. Two thousand requests, and it is not half through. */
const warmUp = { ...load, warmUpMs: 0, durationMs: 12_000 } as const;

/** Requests a second of a trivial tool over /mcp, against a server of the SDK alone that gives the same answer. */
export const httpRate: Benchmark = {
  name: 'http-rate',
  defaultRounds: 9,
  run: async (workbench, rounds) => [
    ...(await compareRates(workbench, rounds, 'stateless')),
    ...(await compareRates(workbench, rounds, 'stateful')),
  ],
};

/** Of one server. */
class Rates {
  readonly requestsPerSecond: Series = new Series();
  readonly p50Ms: Series = new Series();
  /** Of the server's process, for a thousand requests. */
  readonly processorMs: Series = new Series();

  measure(workbench: Workbench, { pid, target }: StartedHttpServer): Measure {
    return async () => {
      const before = processorTime(pid);
      const { requestsPerSecond, p50Ms, allRequests } = await loadServer(workbench, { ...load, target });
      const after = processorTime(pid);
      const rates = [
        { series: this.requestsPerSecond, figure: requestsPerSecond },
        { series: this.p50Ms, figure: p50Ms },
      ];
      return before === null || after === null
        ? rates
        : [...rates, { series: this.processorMs, figure: ((after - before) * 1_000) / allRequests }];
    };
  }
}

async function compareRates(workbench: Workbench, rounds: number, mode: HttpMode): Promise<readonly Comparison[]> {
  const servers = await startHttpPair(workbench, mode);
  const [bare, ours] = [new Rates(), new Rates()];
  await loadServer(workbench, { ...warmUp, target: servers.bare.target });
  await loadServer(workbench, { ...warmUp, target: servers.ours.target });
  await interleave(rounds, [bare.measure(workbench, servers.bare), ours.measure(workbench, servers.ours)]);
  await Promise.all([servers.bare.stop(), servers.ours.stop()]);
  const row = (what: string, unit: Comparison['unit'], of: (rates: Rates) => Series): readonly Comparison[] =>
    of(ours).isEmpty ? [] : [{ what, unit, baseline: of(bare).median, ours: of(ours).median, target: null }];
  const what = `A trivial tool over /mcp, ${mode}, ${load.clients} clients:`;
  return [
    ...row(`${what} requests`, '/s', ({ requestsPerSecond }) => requestsPerSecond).map((comparison) => ({
      ...comparison,
      target: atLeast(0.9),
    })),
    ...row(`${what} latency, p50`, 'ms', ({ p50Ms }) => p50Ms),
    ...row(`${what} processor time of the server for 1,000`, 'ms', ({ processorMs }) => processorMs),
  ];
}
