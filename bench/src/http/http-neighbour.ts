import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { atMost, type Benchmark } from '../benchmark.ts';
import { Series } from '../series.ts';
import { serverEnvironment } from '../server-environment.ts';
import type { Workbench } from '../workbench.ts';
import { startOurs } from './start-http-server.ts';

/** The scripted CLI answers for this model after a second, which is less than Gemini takes, and hangs for the other. */
const answering = 'gemini-3-flash-preview';
const hanging = 'gemini-3.1-pro-preview';
const answerMs = 1_000;
const callsOfRound = 4;

type Call = { readonly route: string; readonly body: Readonly<Record<string, unknown>> };

const question: Call = { route: 'gemini-chat', body: { prompt: 'x', model: answering } };

/** The calls of one principal, alone and while another does everything that it can do to the others. */
export const httpNeighbour: Benchmark = {
  name: 'http-neighbour',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const [alone, attacked] = [new Series(), new Series()];
    const { target, stop } = await startServer(workbench);
    const ask = (name: string, call: Call, signal?: AbortSignal): Promise<boolean> =>
      send(target.port, name, call, signal);
    await measure(ask, new Series());
    for (let round = 0; round < rounds; round += 1) {
      await measure(ask, alone);
      const ending = new AbortController();
      setMaxListeners(0, ending.signal);
      const attacking = attack((call) => ask('mallory', call, ending.signal), ending.signal);
      await measure(ask, attacked);
      ending.abort();
      await attacking;
    }
    await stop();
    const what = 'A call while another principal floods the server';
    return [
      { what: `${what}: p50`, unit: 'ms', baseline: alone.median, ours: attacked.median, target: atMost(2) },
      {
        what: `${what}: the longest`,
        unit: 'ms',
        baseline: alone.greatest,
        ours: attacked.greatest,
        target: atMost(4),
      },
    ];
  },
};

async function startServer(workbench: Workbench): ReturnType<typeof startOurs> {
  const home = await workbench.makeDirectory();
  const root = await workbench.makeDirectory();
  await writeFile(join(root, 'newlines.txt'), Buffer.alloc(60_000_000, '\n'));
  const [, ...answers] = cliAnswer('x'.repeat(50_000));
  const models = { [answering]: [{ do: 'read-stdin' }, { do: 'wait', durationMs: answerMs }, ...answers] } as const;
  const cli = await createFakeGeminiCli({
    directory: await workbench.makeDirectory(),
    scenario: { runs: [[{ do: 'by-model', models, otherwise: [...cliOpening(), { do: 'hang' }] }]] },
  });
  const principals = ['bob', 'mallory'].map((name) => ({
    name,
    roots: [root],
    tokenSha256: createHash('sha256').update(tokenOf(name)).digest('hex'),
  }));
  const file = join(home, 'principals.json');
  await writeFile(file, JSON.stringify({ principals }), { mode: 0o600 });
  return startOurs(workbench, {
    ...serverEnvironment(home),
    GEMINI_API_KEY: 'a-key-of-the-bench',
    GEMINI_MCP_CLI: cli,
    GEMINI_MCP_RUNNER: 'headless',
    GEMINI_MCP_PRINCIPALS_FILE: file,
    GEMINI_MCP_HTTP_RATE_LIMIT: '0',
  });
}

function tokenOf(name: string): string {
  return `token-of-${name}-0123456789-0123456789`;
}

/** Resolves to whether the call was answered; to false too if the signal ended it. */
async function send(port: number, name: string, { route, body }: Call, signal?: AbortSignal): Promise<boolean> {
  const headers = {
    Authorization: `Bearer ${tokenOf(name)}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  };
  try {
    const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal !== undefined && { signal }) };
    const response = await fetch(`http://127.0.0.1:${port}/api/${route}`, init);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function measure(ask: (name: string, call: Call) => Promise<boolean>, series: Series): Promise<void> {
  for (let call = 0; call < callsOfRound; call += 1) {
    const startedAt = performance.now();
    if (!(await ask('bob', question))) {
      throw new Error('A call of the measured principal was not answered.');
    }
    series.add(performance.now() - startedAt);
  }
}

/** Calls all at once, and each again and again until it is refused or the signal is aborted. */
async function attack(ask: (call: Call) => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const longPrompt = 'p'.repeat(900_000);
  const names = Array.from({ length: 70 }, (_, index) => `small.txt:${'1'.repeat(4_000)}x${index}`);
  const calls: readonly (readonly [workers: number, Call])[] = [
    // More long calls than there are places.
    [30, { route: 'gemini-query', body: { prompt: 'hold a place', model: hanging, timeout: 5 } }],
    // Conversations without end, each with a system prompt of its own.
    [10, { route: 'chat', body: { prompt: longPrompt, model: answering, systemPrompt: longPrompt } }],
    [6, { route: 'gemini-context', body: { prompt: 'x', files: ['newlines.txt:1', 'newlines.txt:60000001'] } }],
    [2, { route: 'gemini-context', body: { prompt: 'x', files: names } }],
    [
      2,
      { route: 'gemini-query', body: { prompt: 'x', files: ['newlines.txt:59999999'], model: hanging, timeout: 60 } },
    ],
  ];
  const work = async (call: Call): Promise<void> => {
    while (!signal.aborted && (await ask(call))) {
      // The next call begins.
    }
  };
  await Promise.all(calls.flatMap(([workers, call]) => Array.from({ length: workers }, () => work(call))));
}
