import { atMost, type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { callerOf, openBareCaller } from './callers.ts';
import { openHub } from './open-hub.ts';
import { plainProgram, type ServerSettings, startPlainServer } from './plain-server.ts';
import { callsOf, warmUp } from './time-callers.ts';

/** Calls of a tool of another server, by us and by a client of the SDK alone. */
export const hubCalls: Benchmark = {
  name: 'hub-calls',
  defaultRounds: 60,
  run: async (workbench, rounds) => [
    ...(await compare(workbench, ['stdio', plainProgram(1)], rounds)),
    ...(await compare(workbench, ['HTTP', await startPlainServer(workbench, 1)], rounds)),
  ],
};

async function compare(
  workbench: Workbench,
  [means, settings]: readonly [string, ServerSettings],
  rounds: number,
): Promise<readonly Comparison[]> {
  const bare = await openBareCaller(workbench, settings);
  const ours = callerOf(openHub(workbench, { plain: settings }).of('owner'), 'plain');
  const [bareTime, ourTime] = [new Series(), new Series()];
  await warmUp([bare, ours]);
  await interleave(rounds, [callsOf(bare, bareTime), callsOf(ours, ourTime)]);
  const what = `A call of another server's tool over ${means}, there and back`;
  return [
    { what: `${what}: p50`, unit: 'ms', baseline: null, ours: ourTime.median, target: figureBelow(5) },
    {
      what: `${what}; against a client of the SDK alone`,
      unit: 'ms',
      baseline: bareTime.median,
      ours: ourTime.median,
      target: atMost(2),
    },
    {
      what: `${what}: p99`,
      unit: 'ms',
      baseline: bareTime.quantile(0.99),
      ours: ourTime.quantile(0.99),
      target: null,
    },
  ];
}
