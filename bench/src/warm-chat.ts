import { prepareResume } from './bare-cli.ts';
import { type Benchmark, type Row, timesFaster } from './benchmark.ts';
import { inTurns, median, repeat } from './in-turns.ts';
import { type OfflinePlace, openOfflinePlace, smallSize } from './offline-place.ts';
import { startServer } from './stdio-server.ts';
import type { Workbench } from './workbench.ts';

const repliesInTurn = 5;

/** The next message of a conversation on a server that keeps its session, against the CLI's own way to continue one. */
export const warmChat: Benchmark = {
  name: 'chat-warm',
  defaultRounds: 7,
  run: async (workbench, rounds) => {
    const small = await openOfflinePlace(workbench, smallSize, 'warm');
    // No call may look where the server keeps its own files.
    const own = await workbench.makeDirectory();
    const nowhere = { ...small, project: own, environment: { ...small.environment, GEMINI_MCP_STATE_DIR: own } };
    const large = await openOfflinePlace(workbench, { files: 900, bytes: 11_000_000 }, 'warm');
    return [
      await compare(workbench, rounds, nowhere, 'no directory'),
      await compare(workbench, rounds, large, 'a directory of 900 files, 11 MB, that it may look into'),
    ];
  },
};

async function compare(workbench: Workbench, rounds: number, place: OfflinePlace, where: string): Promise<Row> {
  const { model } = place.query;
  const server = await startServer(workbench, place);
  const resume = await prepareResume(workbench, place);
  const times = await inTurns(rounds, [
    async () => ({ bare: (await workbench.run(resume)).durationMs }),
    async () => {
      await server.call('chat', { prompt: 'Hello', model });
      return { ours: await repeat(repliesInTurn, () => server.call('chat-reply', { prompt: 'And then?' })) };
    },
  ]);
  await server.close();
  const what = `Next message of a warm conversation, ${where}; against \`gemini --resume … --prompt …\``;
  return { what, baseline: median(times.bare), ours: median(times.ours), target: timesFaster(80) };
}
