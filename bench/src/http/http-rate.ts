import { atLeast, type Benchmark, type Row } from '../benchmark.ts';
import { inTurns, median } from '../in-turns.ts';
import { processorMs } from '../process-use.ts';
import { ownProgram, type Workbench } from '../workbench.ts';
import { type HttpMode, type HttpServer, startHttpPair } from './http-server.ts';
import type { HttpTarget } from './wire-client.ts';

export type LoadPlan = {
  readonly target: HttpTarget;
  /** Each sends its next request after the answer to the last one. */
  readonly clients: number;
  /** Requests before it do not count. */
  readonly warmUpMs: number;
  readonly durationMs: number;
};

export type LoadReport = {
  /** Counted requests. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  /** Including uncounted ones. */
  readonly allRequests: number;
};

const load = { clients: 16, warmUpMs: 500, durationMs: 3_000 } as const;

/**
 * Once per server, until V8 has compiled the code in use. Not a time: a busy machine serves a tenth of the requests in it, and the larger of two
 * programs, which needs more of them, then looks half as fast as it is.
 */
const warmUpRequests = 15_000;

/** Requests a second of a trivial tool over /mcp, against a server of the SDK alone that gives the same answer. */
export const httpRate: Benchmark = {
  name: 'http-rate',
  defaultRounds: 9,
  run: async (workbench, rounds) => [
    ...(await compareRates(workbench, rounds, 'stateless')),
    ...(await compareRates(workbench, rounds, 'stateful')),
    ...(await compareRates(workbench, rounds, 'modern')),
  ],
};

const wordsOfMode: Readonly<Record<HttpMode, string>> = {
  stateless: 'without sessions',
  stateful: 'with sessions',
  modern: 'by revision 2026-07-28',
};

async function compareRates(workbench: Workbench, rounds: number, mode: HttpMode): Promise<readonly Row[]> {
  const { bare, ours } = await startHttpPair(workbench, mode);
  const measure = async ({ pid, target }: HttpServer): Promise<LoadReport & { readonly processorMs: number }> => {
    const before = processorMs(pid);
    const report = await loadServer(workbench, { ...load, target });
    return { ...report, processorMs: ((processorMs(pid) - before) * 1_000) / report.allRequests };
  };
  await warmUp(workbench, bare.target);
  await warmUp(workbench, ours.target);
  const taken = await inTurns(rounds, [
    async () => {
      const { requestsPerSecond, p50Ms, processorMs } = await measure(bare);
      return { bareRate: requestsPerSecond, bareMs: p50Ms, bareUseMs: processorMs };
    },
    async () => {
      const { requestsPerSecond, p50Ms, processorMs } = await measure(ours);
      return { rate: requestsPerSecond, ms: p50Ms, useMs: processorMs };
    },
  ]);
  await Promise.all([bare.stop(), ours.stop()]);
  const what = `A trivial tool over /mcp, ${wordsOfMode[mode]}, ${load.clients} clients:`;
  const rates = { baseline: median(taken.bareRate), ours: median(taken.rate) };
  return [
    { what: `${what} requests`, unit: '/s', ...rates, target: atLeast(mode === 'modern' ? 1.5 : 0.9) },
    { what: `${what} latency, p50`, baseline: median(taken.bareMs), ours: median(taken.ms) },
    {
      what: `${what} processor time of the server for 1,000`,
      baseline: median(taken.bareUseMs),
      ours: median(taken.useMs),
    },
  ];
}

async function warmUp(workbench: Workbench, target: HttpTarget): Promise<void> {
  for (let served = 0; served < warmUpRequests; ) {
    served += (await loadServer(workbench, { ...load, target })).allRequests;
  }
}

/** Lets clients in a process of their own call a server for a while. Rejects if one of their calls fails. */
async function loadServer(workbench: Workbench, plan: LoadPlan): Promise<LoadReport> {
  const { stdout } = await workbench.run(ownProgram('http-load', JSON.stringify(plan)));
  return JSON.parse(stdout);
}
