import { fileURLToPath } from 'node:url';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { readLine } from '../read-line.ts';
import { residentMemory } from '../resident-memory.ts';
import { Series } from '../series.ts';
import { killGroup, type Workbench } from '../workbench.ts';
import { plainProgram } from './plain-server.ts';
import { ServedPlace } from './served-servers.ts';

const program = fileURLToPath(new URL('../programs/sdk-clients.js', import.meta.url));

const servers = 20;
/** More than 500 tools are not listed. */
const toolsEach = 24;
const bytesPerMegabyte = 1_000_000;

/** Memory of the built server with other servers, offered and connected, and of bare clients of the SDK. */
export const hubMemory: Benchmark = {
  name: 'hub-memory',
  defaultRounds: 5,
  run: async (workbench, rounds) => {
    const entries = Array.from({ length: servers }, (_, index) => [`server-${index}`, entryOf(index)] as const);
    const place = await ServedPlace.open(workbench, Object.fromEntries(entries));
    const [alone, offered, connected, bare] = [new Series(), new Series(), new Series(), new Series()];
    for (let round = 0; round < rounds; round += 1) {
      const all = await place.serveListed('stdio', servers * toolsEach);
      for (let index = 0; index < servers; index += 1) {
        await all.call(`server-${index}__tool_0`);
      }
      addMemory(connected, all.pid);
      await all.close();
      await addServed(place, null, alone);
      await addServed(place, 'auto', offered);
      await addBare(workbench, bare);
    }
    const row = (what: string, [baseline, ours]: readonly [Series, Series]): readonly Comparison[] =>
      ours.isEmpty ? [] : [{ what, unit: 'MB', baseline: baseline.median, ours: ours.median, target: null }];
    return [
      ...row(
        `Memory of the built server with ${servers} servers offered from the kept lists, none connected; against none`,
        [alone, offered],
      ),
      ...row(`The same with all of them connected; against ${servers} clients of the SDK alone in one process`, [
        bare,
        connected,
      ]),
    ];
  },
};

/** Each with other arguments: servers with one configuration would share what is kept. */
function entryOf(index: number): ReturnType<typeof plainProgram> {
  return plainProgram(toolsEach, String(index));
}

async function addServed(place: ServedPlace, form: 'auto' | null, series: Series): Promise<void> {
  const server = await place.serve({ means: 'stdio', form });
  await server.list();
  addMemory(series, server.pid);
  await server.close();
}

async function addBare(workbench: Workbench, series: Series): Promise<void> {
  const entries = Array.from({ length: servers }, (_, index) => entryOf(index));
  const child = workbench.start({
    file: process.execPath,
    arguments: [program, JSON.stringify(entries)],
    cwd: workbench.directory,
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  await readLine(child.stdout);
  addMemory(series, child.pid ?? -1);
  await killGroup(child);
}

function addMemory(series: Series, pid: number): void {
  const memory = residentMemory(pid);
  if (memory !== null) {
    series.add(memory.now / bytesPerMegabyte);
  }
}
