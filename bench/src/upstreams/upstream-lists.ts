import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Benchmark, figureBelow } from '../benchmark.ts';
import { inTurns, median, repeat, timed } from '../in-turns.ts';
import { serverEnvironment } from '../offline-place.ts';
import { residentMegabytes } from '../process-use.ts';
import { keepCompiledCode } from '../start-up.ts';
import { connectServer, type RunningServer } from '../stdio-server.ts';
import { killGroup, ownProgram, readLine, type Workbench } from '../workbench.ts';
import { plainProgram, type ServerSettings, startPlainServer } from './plain-server.ts';

const servers = 20;
/** More than 500 tools are not listed. */
const toolsEach = 24;
const listsInTurn = 25;
const others = `${servers} servers of ${toolsEach} tools offered from the kept lists`;

/** `tools/list` of the built server with and without other servers, and the first one of its process. */
export const upstreamServedLists: Benchmark = {
  name: 'upstream-lists',
  defaultRounds: 20,
  run: async (workbench, rounds) => {
    const good = await startPlainServer(workbench, toolsEach);
    const dying = await startPlainServer(workbench, toolsEach);
    const stalling = await startPlainServer(workbench, toolsEach);
    // Each with another address: servers with equal configurations would share their cache.
    const open = await openHome(workbench, (index) => ({
      httpUrl: [dying.url, stalling.url][index] ?? `${good.url}?${index}`,
    }));
    // What the servers list is kept while all of them are well.
    await (await serveAll(open)).close();
    await killGroup(dying.child);
    // It still takes connections, and says nothing any more.
    stalling.child.kill('SIGSTOP');
    const [bare, ours] = [await open('off'), await open('auto')];
    for (const server of ['server-0', 'server-1']) {
      void ours.call(`${server}__tool_0`, { text: 'x' }).catch(() => undefined);
    }
    const list = ({ client }: RunningServer): Promise<number> => timed(() => client.listTools());
    const firstOf = async (): Promise<number> => {
      const server = await open('auto');
      return await list(server).finally(server.close);
    };
    const times = await inTurns(rounds, [
      async () => ({ bare: await repeat(listsInTurn, () => list(bare)) }),
      async () => ({ ours: await repeat(listsInTurn, () => list(ours)) }),
      async () => ({ first: await firstOf() }),
    ]);
    await Promise.all([bare.close(), ours.close()]);
    return [
      {
        what: `\`tools/list\` of the built server with ${others}, one dead and one hanging: p50; against none`,
        baseline: median(times.bare),
        ours: median(times.ours),
        target: figureBelow(5),
      },
      // Without other servers, the first list comes from a file of the build.
      { what: 'The first `tools/list` of its process, with them', ours: median(times.first) },
    ];
  },
};

/** Memory of the built server with other servers, offered and connected, and of bare clients of the SDK. */
export const upstreamMemory: Benchmark = {
  name: 'upstream-memory',
  defaultRounds: 5,
  run: async (workbench, rounds) => {
    // Each with other arguments: servers with equal configurations would share their cache.
    const entryOf = (index: number) => plainProgram(toolsEach, `${index}`);
    const entries = Array.from({ length: servers }, (_, index) => entryOf(index));
    const open = await openHome(workbench, entryOf);
    const measureListed = async (form: Form): Promise<number> => {
      const server = await open(form);
      await server.client.listTools();
      // Until this, a server without other servers has not loaded its code.
      await server.client.listPrompts();
      return measure(server);
    };
    const megabytes = await inTurns(rounds, [
      async () => {
        const all = await serveAll(open);
        for (const index of entries.keys()) {
          await all.call(`server-${index}__tool_0`, { text: 'x' });
        }
        return { connected: await measure(all) };
      },
      async () => ({ alone: await measureListed('off') }),
      async () => ({ offered: await measureListed('auto') }),
      async () => ({ bare: await measureBare(workbench, entries) }),
    ]);
    return [
      {
        what: `Memory of the built server with ${others}, none connected; against none`,
        unit: 'MB',
        baseline: median(megabytes.alone),
        ours: median(megabytes.offered),
      },
      {
        what: `The same with all of them connected; against ${servers} clients of the SDK alone in one process`,
        unit: 'MB',
        baseline: median(megabytes.bare),
        ours: median(megabytes.connected),
      },
    ];
  },
};

async function measure(server: RunningServer): Promise<number> {
  const { now } = residentMegabytes(server.pid);
  await server.close();
  return now;
}

async function measureBare(workbench: Workbench, entries: readonly ServerSettings[]): Promise<number> {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const child = workbench.start({ ...ownProgram('sdk-clients', JSON.stringify(entries)), environment });
  await readLine(child.stdout);
  const { now } = residentMegabytes(child.pid ?? -1);
  await killGroup(child);
  return now;
}

/** How the tools of the other servers are offered; `off` for a server without any. */
type Form = 'auto' | 'listed' | 'off';

/** Starts the built server; resolves once it has answered `initialize`. */
type Open = (form: Form) => Promise<RunningServer>;

/** A home with so many servers in its settings. */
async function openHome(workbench: Workbench, entryOf: (index: number) => ServerSettings): Promise<Open> {
  const home = await workbench.makeDirectory();
  const file = join(home, 'servers.json');
  const entries = Array.from({ length: servers }, (_, index) => [`server-${index}`, entryOf(index)]);
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }), { mode: 0o600 });
  await keepCompiledCode(workbench, home);
  const offer = { GEMINI_MCP_SERVERS_FILE: file, GEMINI_MCP_OFFER_SERVERS: 'all' };
  return async (form) =>
    connectServer(workbench, {
      project: await workbench.makeDirectory(),
      environment: {
        ...serverEnvironment(home),
        GEMINI_API_KEY: 'none',
        ...(form === 'off' ? { GEMINI_MCP_SERVERS_FILE: 'off' } : { ...offer, GEMINI_MCP_OFFER_AS: form }),
      },
    });
}

/** A server that has listed all tools of the others: it is connected with them, and what they list is kept on the disk. */
async function serveAll(open: Open): Promise<RunningServer> {
  const server = await open('listed');
  for (let listed = 0; listed !== servers * toolsEach; ) {
    // The first lists wait for servers, for a while.
    const { tools } = await server.client.listTools();
    listed = tools.filter(({ name }) => name.includes('__tool_')).length;
  }
  return server;
}
