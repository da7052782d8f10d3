import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cliAnswer, cliOpening, createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { atMost, type Benchmark, type Row } from '../benchmark.ts';
import { inTurns, median, repeat, timed } from '../in-turns.ts';
import { serverEnvironment, startOfflineApi } from '../offline-place.ts';
import { type PlainKind, plainProgram, type ServerSettings, startPlainServer } from '../upstreams/plain-server.ts';
import type { Workbench } from '../workbench.ts';
import { startHttpServer } from './http-server.ts';

type Call = { readonly route: string; readonly body: Readonly<Record<string, unknown>> };

/** Resolves to whether the call was answered; also to false if the signal ended it. */
type Ask = (principal: 'ada' | 'mallory', call: Call, signal?: AbortSignal) => Promise<boolean>;

/** The scripted CLI answers for this model after a second, which is less than Gemini takes, and hangs for the other. */
const answering = 'gemini-3-flash-preview';
const hanging = 'gemini-3.1-pro-preview';
const answerMs = 1_000;
const question: Call = { route: 'gemini-chat', body: { prompt: 'x', model: answering } };

/** One principal's calls, alone and while another one floods the server in every way. */
export const httpNeighbour: Benchmark = {
  name: 'http-neighbour',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const root = await workbench.makeDirectory();
    await writeFile(join(root, 'newlines.txt'), Buffer.alloc(60_000_000, '\n'));
    const [, ...answers] = cliAnswer('x'.repeat(50_000));
    const models = { [answering]: [{ do: 'read-stdin' }, { do: 'wait', durationMs: answerMs }, ...answers] } as const;
    const cli = await createFakeGeminiCli({
      directory: await workbench.makeDirectory(),
      scenario: { runs: [[{ do: 'by-model', models, otherwise: [...cliOpening(), { do: 'hang' }] }]] },
    });
    const environment = { GEMINI_API_KEY: 'a-key', GEMINI_MCP_CLI: cli, GEMINI_MCP_RUNNER: 'headless' };
    const { ask, stop } = await startShared(workbench, environment, [root]);
    const callFour = (): Promise<readonly number[]> => repeat(4, () => timeCall(ask, question));
    await callFour();
    const attacked = () => beside((signal) => attack(ask, signal), callFour);
    const measures = [async () => ({ alone: await callFour() }), async () => ({ attacked: await attacked() })];
    const times = await inTurns(rounds, measures, 0);
    await stop();
    const what = 'A call while another principal floods the server';
    const [longestAlone, longest] = [Math.max(...times.alone), Math.max(...times.attacked)];
    return [
      { what: `${what}: p50`, baseline: median(times.alone), ours: median(times.attacked), target: atMost(2) },
      { what: `${what}: the longest`, baseline: longestAlone, ours: longest, target: atMost(4) },
    ];
  },
};

/** Starts all calls at once, and repeats each until it is refused or the signal aborts. */
async function attack(ask: Ask, signal: AbortSignal): Promise<void> {
  const longPrompt = 'p'.repeat(900_000);
  const names = Array.from({ length: 70 }, (_, index) => `small.txt:${'1'.repeat(4_000)}x${index}`);
  const lastLine = { prompt: 'x', files: ['newlines.txt:59999999'], model: hanging, timeout: 60 };
  const calls: readonly (readonly [workers: number, Call])[] = [
    // More long calls than there are places.
    [30, { route: 'gemini-query', body: { prompt: 'hold a place', model: hanging, timeout: 5 } }],
    // Conversations without end, each with a system prompt of its own.
    [10, { route: 'chat', body: { prompt: longPrompt, model: answering, systemPrompt: longPrompt } }],
    [6, { route: 'gemini-context', body: { prompt: 'x', files: ['newlines.txt:1', 'newlines.txt:60000001'] } }],
    [2, { route: 'gemini-context', body: { prompt: 'x', files: names } }],
    [2, { route: 'gemini-query', body: lastLine }],
  ];
  const work = async (call: Call): Promise<void> => {
    while (!signal.aborted && (await ask('mallory', call, signal))) {
      // The next call begins.
    }
  };
  await Promise.all(calls.flatMap(([workers, call]) => Array.from({ length: workers }, () => work(call))));
}

const floods: readonly (readonly [
  'http' | 'sse' | 'stdio',
  Extract<PlainKind, 'requests' | 'notifications' | 'comments'>,
  number,
])[] = [
  ['http', 'requests', 1],
  ['http', 'notifications', 1],
  ['http', 'comments', 1],
  ['sse', 'requests', 1],
  ['sse', 'notifications', 1],
  ['sse', 'comments', 1],
  ['stdio', 'requests', 1],
  ['stdio', 'notifications', 1],
  ['http', 'requests', 6],
  ['http', 'notifications', 6],
  ['http', 'comments', 6],
];
const floodTurnMs = 3_000;
const pauseMs = 2;
const againMs = 20;
const callsBefore = 300;
const query: Call = { route: 'gemini-query', body: { prompt: 'x' } };

/** `gemini_query` of one principal over HTTP, alone and while another principal's servers flood. */
export const upstreamFloods: Benchmark = {
  name: 'upstream-floods',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const api = await startOfflineApi(workbench);
    const rows: Row[] = [];
    for (const [transport, kind, count] of floods) {
      const flood =
        transport === 'stdio' ? plainProgram(kind) : (await startPlainServer(workbench, kind, transport)).settings;
      const servers = Array.from({ length: count }, (_, index): [string, ServerSettings] => [`flood${index}`, flood]);
      const file = join(await workbench.makeDirectory(), 'servers.json');
      await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) }), { mode: 0o600 });
      const offer = { GEMINI_MCP_SERVERS_FILE: file, GEMINI_MCP_OFFER_SERVERS: 'all' };
      const { ask, stop } = await startShared(workbench, { ...api, ...offer });
      await repeat(callsBefore, () => ask('ada', query));
      const flooding = (signal: AbortSignal) => Promise.all(servers.map(([name]) => callAgain(ask, name, signal)));
      const flooded = () => beside(flooding, () => callForAWhile(ask));
      const measures = [async () => ({ alone: await callForAWhile(ask) }), async () => ({ beside: await flooded() })];
      const times = await inTurns(rounds, measures, 0);
      await stop();
      const what = `A query while ${count} of another principal's servers flood over ${transport} with ${kind}: p50`;
      rows.push({ what, baseline: median(times.alone), ours: median(times.beside), target: atMost(2) });
    }
    return rows;
  },
};

/** Calls with a pause after each, so that the flood has begun for nearly all of them. */
async function callForAWhile(ask: Ask): Promise<readonly number[]> {
  const times: number[] = [];
  for (const untilMs = performance.now() + floodTurnMs; performance.now() < untilMs; await delay(pauseMs)) {
    times.push(await timeCall(ask, query));
  }
  return times;
}

/** Makes the next call whatever the outcome of the last one. */
async function callAgain(ask: Ask, server: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await ask('mallory', { route: `servers/${server}/tools/tool_0`, body: {} }, signal);
    // A flooding server is soon refused at once: the loop must not become a flood of its own.
    await delay(againMs);
  }
}

/** Runs the work while something else runs, and ends both together. */
async function beside<Result>(
  disturb: (signal: AbortSignal) => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const disturbed = disturb(ending.signal);
  try {
    return await work();
  } finally {
    ending.abort();
    await disturbed;
  }
}

async function timeCall(ask: Ask, call: Call): Promise<number> {
  return timed(async () => {
    if (!(await ask('ada', call))) {
      throw new Error('A call of the measured principal was not answered.');
    }
  });
}

/** Starts the built HTTP server with two principals, who may read in these roots. */
async function startShared(
  workbench: Workbench,
  environment: Readonly<Record<string, string>>,
  roots: readonly string[] = [],
): Promise<{ readonly ask: Ask; readonly stop: () => Promise<void> }> {
  const home = await workbench.makeDirectory();
  const tokenOf = (name: string): string => `token-of-${name}-0123456789-0123456789`;
  const principals = ['ada', 'mallory'].map((name) => {
    const tokenSha256 = createHash('sha256').update(tokenOf(name)).digest('hex');
    return { name, tokenSha256, ...(roots.length > 0 && { roots }) };
  });
  const file = join(home, 'principals.json');
  await writeFile(file, JSON.stringify({ principals }), { mode: 0o600 });
  const { target, stop } = await startHttpServer(workbench, {
    ...serverEnvironment(home),
    ...environment,
    GEMINI_MCP_PRINCIPALS_FILE: file,
    GEMINI_MCP_HTTP_RATE_LIMIT: '0',
  });
  const ask: Ask = async (principal, { route, body }, signal) => {
    const headers = {
      Authorization: `Bearer ${tokenOf(principal)}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal !== undefined && { signal }) };
    try {
      const response = await fetch(new URL(`/api/${route}`, target.url), init);
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  };
  return { ask, stop };
}
