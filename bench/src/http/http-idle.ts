import { fileURLToPath } from 'node:url';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { readLine } from '../read-line.ts';
import { residentMemory } from '../resident-memory.ts';
import { Series } from '../series.ts';
import { type Child, killGroup, type Workbench } from '../workbench.ts';
import { loadServer } from './http-load.ts';
import type { HttpTarget } from './mcp-wire-client.ts';
import { type StartedHttpServer, startHttpPair } from './start-http-server.ts';

const program = fileURLToPath(new URL('../programs/http-idle-clients.js', import.meta.url));

const bytesPerMegabyte = 1_000_000;
const idleClients = 1_000;
const load = { clients: 16, warmUpMs: 500, durationMs: 4_000 } as const;

/** What a server does before: V8 has compiled what is used by then. */
const warmUpMs = 10_000;

/**
 * The cost of clients that began a session, listen and say nothing: a server answers others before they come and while they
 * are there.
 */
export const httpIdle: Benchmark = {
  name: 'http-idle',
  defaultRounds: 3,
  run: async (workbench, rounds) => {
    const [bare, ours] = [new IdleFigures(), new IdleFigures()];
    for (let round = 0; round < rounds; round += 1) {
      const servers = await startHttpPair(workbench, 'stateful');
      await bare.measure(workbench, servers.bare);
      await ours.measure(workbench, servers.ours);
      await Promise.all([servers.bare.stop(), servers.ours.stop()]);
    }
    const idle = `${idleClients} sessions that listen`;
    return [
      ...compare(`${idle}: growth of the server's memory`, 'MB', [bare.grownMegabytes, ours.grownMegabytes]),
      ...compare("The server's memory with them", 'MB', [bare.megabytes, ours.megabytes]),
      ...compare(`${load.clients} clients next to ${idle}: p99`, 'ms', [bare.accompaniedMs, ours.accompaniedMs]),
      ...compare('The same without them: p99', 'ms', [bare.aloneMs, ours.aloneMs]),
    ];
  },
};

class IdleFigures {
  readonly grownMegabytes: Series = new Series();
  readonly megabytes: Series = new Series();
  /** p99 of the active clients without and with the idle ones. */
  readonly aloneMs: Series = new Series();
  readonly accompaniedMs: Series = new Series();

  async measure(workbench: Workbench, { pid, target }: StartedHttpServer): Promise<void> {
    this.aloneMs.add((await loadServer(workbench, { ...load, warmUpMs, target })).p99Ms);
    const before = residentMemory(pid);
    const idle = await startIdleClients(workbench, target);
    const after = residentMemory(pid);
    this.accompaniedMs.add((await loadServer(workbench, { ...load, target })).p99Ms);
    await killGroup(idle);
    if (before !== null && after !== null) {
      this.grownMegabytes.add((after.now - before.now) / bytesPerMegabyte);
      this.megabytes.add(after.now / bytesPerMegabyte);
    }
  }
}

async function startIdleClients(workbench: Workbench, target: HttpTarget): Promise<Child> {
  const child = workbench.start({
    file: process.execPath,
    arguments: [program, JSON.stringify({ target, clients: idleClients })],
    cwd: workbench.directory,
    environment: {},
  });
  await readLine(child.stdout);
  return child;
}

function compare(
  what: string,
  unit: Comparison['unit'],
  [bare, ours]: readonly [Series, Series],
): readonly Comparison[] {
  return ours.isEmpty ? [] : [{ what, unit, baseline: bare.median, ours: ours.median, target: null }];
}
