import { atMost, type Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { Series } from '../series.ts';
import { callerOf } from './callers.ts';
import { openHub } from './open-hub.ts';
import { plainProgram, startPlainServer } from './plain-server.ts';
import { callsOf, warmUp } from './time-callers.ts';

/** Calls of a server in a hub where others hang, are dead and are slow while they are called. */
export const hubNeighbours: Benchmark = {
  name: 'hub-neighbours',
  defaultRounds: 60,
  run: async (workbench, rounds) => {
    const [hanging, slow] = [await startPlainServer(workbench, 'hangs'), await startPlainServer(workbench, 'slow')];
    const dead = { httpUrl: 'http://127.0.0.1:9/mcp' };
    const good = plainProgram(1);
    const alone = callerOf(openHub(workbench, { good }).of('owner'), 'good');
    const amongOthers = openHub(workbench, { good, hanging, slow, dead, silent: plainProgram('hangs') }).of('owner');
    const ours = callerOf(amongOthers, 'good');
    for (const server of ['hanging', 'slow', 'dead', 'silent']) {
      void callerOf(amongOthers, server)().catch(() => undefined);
    }
    await warmUp([alone, ours]);
    const [aloneTime, ourTime] = [new Series(), new Series()];
    await interleave(rounds, [callsOf(alone, aloneTime), callsOf(ours, ourTime)]);
    return [
      {
        what: 'A call of a server while others hang, are dead and are slow; against the same server alone',
        unit: 'ms',
        baseline: aloneTime.median,
        ours: ourTime.median,
        target: atMost(1.1),
      },
    ];
  },
};
