import { prepareTyped, recordRun, replayRun } from './bare-cli.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { inTurns, median } from './in-turns.ts';
import { type OfflinePlace, openOfflinePlace } from './offline-place.ts';
import { geminiPath } from './project-paths.ts';
import { startServer } from './stdio-server.ts';
import { ownProgram, type Workbench } from './workbench.ts';

/** Calls that need a CLI process of their own, with 40 files: a gemini_query of the headless runner, and a program that asks once. */
export const coldCall: Benchmark = {
  name: 'call',
  defaultRounds: 15,
  run: async (workbench, rounds) => {
    const place = await openOfflinePlace(workbench, { files: 40, bytes: 400_000 }, 'headless');
    const typed = await prepareTyped(workbench, place);
    const recorded = await recordRun(workbench, place);
    const times = await inTurns(rounds, [
      async () => ({ bare: await replayRun(workbench, place, recorded) }),
      async () => {
        const server = await startServer(workbench, place);
        const ask = (): Promise<number> => server.call('gemini_query', place.query);
        const figures = { first: await ask(), later: await ask() };
        await server.close();
        return figures;
      },
      async () => ({ typed: (await workbench.run(typed)).durationMs }),
      async () => ({ script: await timeScript(workbench, place, 'warm') }),
      async () => ({ coldScript: await timeScript(workbench, place, 'headless') }),
    ]);
    const [bare, typedMs, script] = [median(times.bare), median(times.typed), median(times.script)];
    const query = 'Headless `gemini_query` against';
    const what = 'A script with `createGemini`, start to exit; against';
    const ours = median(times.later);
    return [
      { what: `${query} the bare \`gemini\` process`, baseline: bare, ours, target: atMost(1.05) },
      { what: `${query} \`gemini -p\``, baseline: typedMs, ours, target: atMost(1) },
      { what: 'The first headless one of a server', baseline: bare, ours: median(times.first) },
      { what: `${what} \`gemini -p\``, baseline: typedMs, ours: script, target: atMost(1) },
      { what: `${what} the bare \`gemini\` process`, baseline: bare, ours: script },
      { what: `${what} the same with a process for each call`, baseline: median(times.coldScript), ours: script },
    ];
  },
};

async function timeScript(workbench: Workbench, place: OfflinePlace, way: 'warm' | 'headless'): Promise<number> {
  const { durationMs, stdout } = await workbench.run({
    ...ownProgram('ask-script', way),
    cwd: place.project,
    environment: { ...place.environment, GEMINI_MCP_CLI: geminiPath },
  });
  if (!stdout.includes('41 files')) {
    throw new Error(`The script did not get its answer but said: ${stdout.slice(-500)}`);
  }
  return durationMs;
}
