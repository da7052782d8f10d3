import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OtherServers } from '@gemini-mcp/core/internal';
import { atMost, type Benchmark } from '../benchmark.ts';
import { readLine } from '../read-line.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { callerOf } from './callers.ts';
import { openHub } from './open-hub.ts';
import { plainProgram, type ServerSettings } from './plain-server.ts';
import { warmUp } from './time-callers.ts';

const program = fileURLToPath(new URL('../programs/flooding-mcp-server.js', import.meta.url));

const floods = [
  ['http', 'requests'],
  ['http', 'notifications'],
  ['http', 'comments'],
  ['sse', 'requests'],
  ['sse', 'notifications'],
  ['stdio', 'requests'],
  ['stdio', 'notifications'],
] as const;

type Flood = (typeof floods)[number];

const roundMs = 1_500;
const pauseMs = 2;
const againMs = 20;

/** Calls of one owner alone, and while a server of another owner sends without end. */
export const hubFloods: Benchmark = {
  name: 'hub-floods',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const rows = [];
    for (const [transport, what] of floods) {
      const [alone, beside] = [new Series(), new Series()];
      const flood = await settingsOf(workbench, transport, what);
      const hub = openHub(workbench, { good: plainProgram(1), flood });
      const caller = callerOf(hub.of('ada'), 'good');
      await warmUp([caller]);
      for (let round = 0; round < rounds; round += 1) {
        await measure(caller, alone);
        const ending = new AbortController();
        const flooding = callAgain(hub.of('mallory'), ending.signal);
        await measure(caller, beside);
        ending.abort();
        await flooding;
      }
      await hub.close();
      rows.push({
        what: `A call while a server of another owner floods over ${transport} with ${what}: p50`,
        unit: 'ms',
        baseline: alone.median,
        ours: beside.median,
        target: atMost(2),
      } as const);
    }
    return rows;
  },
};

/** Calls with a pause after each, so that the flood has begun for nearly all of them. */
async function measure(caller: () => Promise<void>, series: Series): Promise<void> {
  const untilMs = performance.now() + roundMs;
  while (performance.now() < untilMs) {
    const startedAtMs = performance.now();
    await caller();
    series.add(performance.now() - startedAtMs);
    await delay(pauseMs);
  }
}

type FloodSettings = ServerSettings | { readonly url: string; readonly type: 'sse' };

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
async function callAgain(servers: OtherServers, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const asks = { type: 'tool', tool: 'tool_0', arguments: {} } as const;
    await servers.request({ server: 'flood', asks, deadlineAtMs: Date.now() + 15_000, questions: null }, signal);
    // A server that floods is soon refused at once: the loop is not to be a flood of its own.
    await delay(againMs);
  }
}
