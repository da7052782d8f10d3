import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Comparison, figureBelow } from './benchmark.ts';
import { setUpQueries, smallSize } from './query-setup.ts';
import { type PromptMoments, placeOfMoments, preciseNow } from './run-moments.ts';
import { Series } from './series.ts';
import { type RunningServer, startServer } from './server-client.ts';

const timedAcpProgram = fileURLToPath(new URL('./programs/timed-acp.js', import.meta.url));

/** Calls that come before those that count: V8 has compiled what they use by then. */
const callsBefore = 10;

/** In the way of a client, which thinks between its calls, and as quickly as it goes. */
const pausesMs = [250, 0] as const;

/**
 * The time of a warm gemini_query without the time of the CLI for its prompt: from the client's request to its answer, less the
 * time from when the prompt reached the CLI's process to when that had the whole answer.
 */
export const ownShare: Benchmark = {
  name: 'share',
  defaultRounds: 60,
  run: async (workbench, rounds) => {
    const setup = await setUpQueries(workbench, smallSize);
    const server = await startServer(workbench, setup, timedAcpProgram);
    const askedBy = new Map<number, readonly Call[]>();
    for (const pauseMs of pausesMs) {
      askedBy.set(pauseMs, (await ask(server, callsBefore + rounds, pauseMs)).slice(callsBefore));
    }
    await server.close();
    const lines = (await readFile(placeOfMoments(setup.home), 'utf8')).trimEnd().split('\n');
    const prompts: readonly PromptMoments[] = lines.map((line) => JSON.parse(line));
    return [...askedBy].flatMap(([pauseMs, calls]) => describe(pauseMs, divide(calls, prompts)));
  },
};

type Call = { readonly asked: number; readonly told: number };

async function ask(server: RunningServer, count: number, pauseMs: number): Promise<readonly Call[]> {
  const calls: Call[] = [];
  while (calls.length < count) {
    await sleep(pauseMs);
    const asked = preciseNow();
    await server.ask();
    calls.push({ asked, told: preciseNow() });
  }
  return calls;
}

/** Says what of each call was before its prompt, the prompt, and after it. */
function divide(calls: readonly Call[], prompts: readonly PromptMoments[]): Phases {
  const phases: Phases = { before: new Series(), prompt: new Series(), after: new Series(), share: new Series() };
  for (const { asked, told } of calls) {
    const prompt = prompts.find(({ received, replied }) => asked < received && replied < told);
    if (prompt !== undefined) {
      const { received, replied } = prompt;
      phases.before.add(received - asked);
      phases.prompt.add(replied - received);
      phases.after.add(told - replied);
      phases.share.add(told - asked - (replied - received));
    }
  }
  return phases;
}

type Phases = { readonly before: Series; readonly prompt: Series; readonly after: Series; readonly share: Series };

function describe(pauseMs: number, { before, prompt, after, share }: Phases): readonly Comparison[] {
  const what = `Of a warm \`gemini_query\`, ${pauseMs === 0 ? 'back to back' : `every ${pauseMs} ms`}:`;
  const row = (name: string, series: Series, target: Comparison['target']): Comparison => ({
    what: `${what} ${name}`,
    unit: 'ms',
    baseline: null,
    ours: series.median,
    target,
  });
  return [
    row('until the prompt is with the CLI', before, null),
    row('the CLI and the API', prompt, null),
    row('until the client has the answer', after, null),
    row('our own share, p50', share, pauseMs === 0 ? null : figureBelow(10)),
  ];
}
