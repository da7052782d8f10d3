import { setTimeout as sleep } from 'node:timers/promises';
import { prepareTyped } from './bare-cli.ts';
import { type Benchmark, timesFaster } from './benchmark.ts';
import { inTurns, median, repeat } from './in-turns.ts';
import { openOfflinePlace, smallSize } from './offline-place.ts';
import { startServer } from './stdio-server.ts';

/** The shortest pause that a client leaves between two calls. */
const pauseMs = 250;
const callsInTurn = 5;

/** A gemini_query with a small context on a server that has answered before, against the command that a user would type instead. */
export const warmCall: Benchmark = {
  name: 'warm',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const place = await openOfflinePlace(workbench, smallSize, 'warm');
    const typed = await prepareTyped(workbench, place);
    const server = await startServer(workbench, place);
    const ask = (): Promise<number> => server.call('gemini_query', place.query);
    const firstMs = await ask();
    const times = await inTurns(rounds, [
      async () => ({ typed: (await workbench.run(typed)).durationMs }),
      async () => ({ paused: await repeat(callsInTurn, () => sleep(pauseMs).then(ask)) }),
      async () => ({ hurried: await repeat(callsInTurn, ask) }),
    ]);
    await server.close();
    const what = '`gemini_query`, small context, warm';
    const baseline = median(times.typed);
    const target = timesFaster(50);
    return [
      { what: `${what}, every ${pauseMs} ms; against \`gemini -p\``, baseline, ours: median(times.paused), target },
      { what: `${what}, back to back; against \`gemini -p\``, baseline, ours: median(times.hurried), target },
      { what: 'The first call of that server; against `gemini -p`', baseline, ours: firstMs },
    ];
  },
};
