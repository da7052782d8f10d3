import { join } from 'node:path';
import { GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses } from '@gemini-mcp/adapters-node/internal';
import { listsInMemory, pinsInMemory } from '@gemini-mcp/core/internal';
import { defaultConnectionLimits, readUpstreamConfig, resolveServer, Upstreams } from '@gemini-mcp/upstreams';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atMost, type Benchmark, figureBelow, type Row } from '../benchmark.ts';
import { inTurns, median, quantile, repeat, timed } from '../in-turns.ts';
import type { Workbench } from '../workbench.ts';
import { plainProgram, type ServerSettings, startPlainServer } from './plain-server.ts';

/** Calls a tool once. Rejects without an answer. */
type Caller = () => Promise<void>;

/** So many calls come one right after the other before the other side has its turn. */
const callsInTurn = 50;

/** V8 has compiled what a call uses by then. */
const callsBefore = 1_000;

const tool = 'tool_0';
const patienceMs = 600_000;
const never = new AbortController().signal;

/** Calls of a tool of another server, by us and by a client of the SDK alone; and among upstreams that hang, are dead or are slow. */
export const upstreamCalls: Benchmark = {
  name: 'upstream-calls',
  defaultRounds: 60,
  run: async (workbench, rounds) => {
    const good = plainProgram(1);
    const { url } = await startPlainServer(workbench, 1);
    const stdio = await openCallers(workbench, good, await openStdio(good));
    const http = await openCallers(workbench, { httpUrl: url }, new StreamableHTTPClientTransport(new URL(url)));
    const amongOthers = await openAmongOthers(workbench, good);
    await repeat(callsBefore, async () => {
      for (const call of [stdio.bare, stdio.ours, amongOthers, http.bare, http.ours]) {
        await call();
      }
    });
    const callsOf = (call: Caller): Promise<readonly number[]> => repeat(callsInTurn, () => timed(call));
    const times = await inTurns(rounds, [
      async () => ({ bareStdio: await callsOf(stdio.bare) }),
      async () => ({ stdio: await callsOf(stdio.ours) }),
      async () => ({ amongOthers: await callsOf(amongOthers) }),
      async () => ({ bareHttp: await callsOf(http.bare) }),
      async () => ({ http: await callsOf(http.ours) }),
    ]);
    return [
      ...compare('stdio', times.bareStdio, times.stdio),
      {
        what: 'The same while others hang, are dead or are slow; compared with a run without them',
        baseline: median(times.stdio),
        ours: median(times.amongOthers),
        target: atMost(1.1),
      },
      ...compare('HTTP', times.bareHttp, times.http),
    ];
  },
};

function compare(means: string, bare: readonly number[], ours: readonly number[]): readonly Row[] {
  const what = `A call of another server's tool over ${means}, there and back`;
  return [
    { what: `${what}: p50`, ours: median(ours), target: figureBelow(5) },
    {
      what: `${what}; against a client of the SDK alone`,
      baseline: median(bare),
      ours: median(ours),
      target: atMost(2),
    },
    { what: `${what}: p99`, baseline: quantile(bare, 0.99), ours: quantile(ours, 0.99) },
  ];
}

/** The client of the SDK alone, as its examples have it, and ours, on the same server. */
async function openCallers(
  workbench: Workbench,
  settings: ServerSettings,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<{ readonly bare: Caller; readonly ours: Caller }> {
  const client = new Client({ name: 'bare', version: '1.0.0' });
  workbench.onClose(() => client.close());
  // Untyped, because the SDK's transports do not fit the SDK's interface where optional properties are taken exactly.
  await Reflect.apply(client.connect, client, [transport]);
  let count = 0;
  const bare = async (): Promise<void> => {
    count += 1;
    const { content } = await client.callTool({ name: tool, arguments: { text: 'x', count } });
    expectAnswer(content);
  };
  return { bare, ours: callerOf(openBenchUpstreams(workbench, { plain: settings }), 'plain') };
}

function openStdio({ command, args }: ReturnType<typeof plainProgram>): StdioClientTransport {
  return new StdioClientTransport({ command, args: [...args] });
}

async function openAmongOthers(workbench: Workbench, good: ServerSettings): Promise<Caller> {
  const [hanging, slow] = [await startPlainServer(workbench, 'hangs'), await startPlainServer(workbench, 'slow')];
  const others = {
    hanging: hanging.settings,
    slow: slow.settings,
    // Nothing listens on this port.
    dead: { httpUrl: 'http://127.0.0.1:9/mcp' },
    silent: plainProgram('hangs'),
  };
  const upstreams = openBenchUpstreams(workbench, { good, ...others });
  for (const server of Object.keys(others)) {
    void callerOf(upstreams, server)().catch(() => undefined);
  }
  return callerOf(upstreams, 'good');
}

/** Ours: the tool of one of the servers of an owner, through settings, approval and guards. */
function callerOf(upstreams: Upstreams, server: string): Caller {
  const clock = new SystemClock();
  const servers = upstreams.of('owner');
  let count = 0;
  return async () => {
    count += 1;
    const asks = { type: 'tool', tool, arguments: { text: 'x', count } } as const;
    const deadlineAtMs = clock.now() + patienceMs;
    const reply = await servers.request({ server, asks, deadlineAtMs, questions: null }, never);
    expectAnswer(reply.type === 'answered' ? reply.result['content'] : reply);
  };
}

function expectAnswer(content: unknown): void {
  if (!Array.isArray(content) || content.length !== 1) {
    throw new Error(`No answer: ${JSON.stringify(content)}`);
  }
}

/** Upstreams with these settings, as contained processes or over HTTP. */
function openBenchUpstreams(workbench: Workbench, mcpServers: Readonly<Record<string, ServerSettings>>): Upstreams {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const { programs: programPath } = new GeminiCliFinder({ environment, runsDirectory: workbench.directory });
  const settings = readUpstreamConfig(JSON.stringify({ mcpServers }), 'settings.json');
  const upstreams = new Upstreams({
    clock: new SystemClock(),
    processes: new ContainedServerProcesses({ environment, programPath }),
    limits: defaultConnectionLimits,
    client: { name: 'bench', version: '1.0.0' },
    settings: async () => settings,
    reach: async ({ entry }) => {
      const values = { allowed: [], variables: new Map<string, string>(), secretOf: () => null };
      const resolved = resolveServer(entry, { values, baseDirectory: workbench.directory, joinPath: join });
      return resolved.resolved
        ? { isKnown: true, transport: resolved.transport, fetch }
        : { isKnown: false, problem: resolved.problem };
    },
    roots: () => null,
    upstreamListStore: listsInMemory(),
    toolPinStore: pinsInMemory(),
    log: () => undefined,
  });
  workbench.onClose(() => upstreams.close());
  return upstreams;
}
