import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atMost, type Benchmark, type Comparison } from '../benchmark.ts';
import { startOurs } from '../http/start-http-server.ts';
import { startOfflineApi } from '../offline-api.ts';
import { readLine } from '../read-line.ts';
import { Series } from '../series.ts';
import { serverEnvironment } from '../server-environment.ts';
import type { Workbench } from '../workbench.ts';

const program = fileURLToPath(new URL('../programs/flooding-mcp-server.js', import.meta.url));

const floods = [
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
] as const;

type Flood = (typeof floods)[number];

const roundMs = 3_000;
const pauseMs = 2;
const againMs = 20;
const callsBefore = 300;

/** `gemini_query` of one principal over HTTP, alone and while servers of another principal send without end. */
export const hubFloods: Benchmark = {
  name: 'hub-floods',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const rows: Comparison[] = [];
    const api = await startOfflineApi(workbench);
    for (const [transport, what, count] of floods) {
      const [alone, beside] = [new Series(), new Series()];
      const flood = await settingsOf(workbench, transport, what);
      const servers = Object.fromEntries(Array.from({ length: count }, (_, index) => [`flood${index}`, flood]));
      const { ask, stop } = await startServer(workbench, api, servers);
      for (let call = 0; call < callsBefore; call += 1) {
        await ask('ada', 'gemini-query');
      }
      for (let round = 0; round < rounds; round += 1) {
        await measure(ask, alone);
        const ending = new AbortController();
        const flooding = Object.keys(servers).map((server) => callAgain(ask, server, ending.signal));
        await measure(ask, beside);
        ending.abort();
        await Promise.all(flooding);
      }
      await stop();
      rows.push({
        what: `A query while ${count} of another principal's servers flood over ${transport} with ${what}: p50`,
        unit: 'ms',
        baseline: alone.median,
        ours: beside.median,
        target: atMost(2),
      });
    }
    return rows;
  },
};

type Ask = (principal: string, route: string, signal?: AbortSignal) => Promise<boolean>;

async function startServer(
  workbench: Workbench,
  api: Readonly<Record<string, string>>,
  mcpServers: Readonly<Record<string, FloodSettings>>,
): Promise<{ readonly ask: Ask; readonly stop: () => Promise<void> }> {
  const home = await workbench.makeDirectory();
  const [servers, principals] = [join(home, 'servers.json'), join(home, 'principals.json')];
  await writeFile(servers, JSON.stringify({ mcpServers }), { mode: 0o600 });
  const named = ['ada', 'mallory'].map((name) => ({
    name,
    tokenSha256: createHash('sha256').update(tokenOf(name)).digest('hex'),
  }));
  await writeFile(principals, JSON.stringify({ principals: named }), { mode: 0o600 });
  const { target, stop } = await startOurs(workbench, {
    ...serverEnvironment(home),
    ...api,
    GEMINI_MCP_PRINCIPALS_FILE: principals,
    GEMINI_MCP_SERVERS_FILE: servers,
    GEMINI_MCP_OFFER_SERVERS: 'all',
    GEMINI_MCP_HTTP_RATE_LIMIT: '0',
  });
  const ask: Ask = async (principal, route, signal) => {
    const response = await fetch(`http://127.0.0.1:${target.port}/api/${route}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokenOf(principal)}`, 'Content-Type': 'application/json' },
      body: route === 'gemini-query' ? '{"prompt":"x"}' : '{}',
      ...(signal !== undefined && { signal }),
    });
    await response.arrayBuffer();
    return response.ok;
  };
  return { ask, stop };
}

function tokenOf(name: string): string {
  return `token-of-${name}-0123456789-0123456789`;
}

/** Calls with a pause after each, so that the flood has begun for nearly all of them. */
async function measure(ask: Ask, series: Series): Promise<void> {
  const untilMs = performance.now() + roundMs;
  while (performance.now() < untilMs) {
    const startedAtMs = performance.now();
    if (!(await ask('ada', 'gemini-query'))) {
      throw new Error('A call of the measured principal was not answered.');
    }
    series.add(performance.now() - startedAtMs);
    await delay(pauseMs);
  }
}

type FloodSettings =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly httpUrl: string }
  | { readonly url: string; readonly type: 'sse' };

async function settingsOf(workbench: Workbench, transport: Flood[0], what: Flood[1]): Promise<FloodSettings> {
  const words = [program, transport, what];
  if (transport === 'stdio') {
    return { command: process.execPath, args: words };
  }
  const cwd = workbench.directory;
  const child = workbench.start({ file: process.execPath, arguments: words, cwd, environment: {} });
  const address = await readLine(child.stdout);
  return transport === 'sse' ? { url: address, type: 'sse' } : { httpUrl: address };
}

/** Whatever becomes of a call, the next one follows. */
async function callAgain(ask: Ask, server: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await ask('mallory', `servers/${server}/tools/tool_0`, signal).catch(() => false);
    // A server that floods is soon refused at once: the loop is not to be a flood of its own.
    await delay(againMs);
  }
}
