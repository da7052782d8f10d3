import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';
import { prepareTyped } from './bare-cli.ts';
import { atMost, type Benchmark, figureBelow, timesFaster } from './benchmark.ts';
import { inTurns, median, repeat } from './in-turns.ts';
import { type OfflinePlace, openOfflinePlace, smallSize } from './offline-place.ts';
import { residentMegabytes } from './process-use.ts';
import { noCli, startServer } from './stdio-server.ts';
import { ownProgram, type Workbench } from './workbench.ts';

const callsInTurn = 5;

/** V8 has compiled what a call uses by then. */
const callsBefore = 20;

/** A gemini_query over the API, no CLI anywhere, against a bare `fetch` of the same request by a process of its own. */
export const apiCalls: Benchmark = {
  name: 'api',
  defaultRounds: 30,
  run: async (workbench, rounds) => {
    const { place, uploads, openServer } = await prepare(workbench, smallSize);
    const first = await inTurns(7, [
      // Each in a process that has just started.
      async () => {
        const client = await startBareFetch(workbench, place, uploads);
        return { bare: await client.ask().finally(client.close) };
      },
      async () => {
        const server = await openServer();
        const figures = { ours: await server.ask(), memory: residentMegabytes(server.pid).now };
        await server.close();
        return figures;
      },
    ]);
    const bare = await startBareFetch(workbench, place, uploads);
    const server = await openServer();
    await repeat(callsBefore, async () => [await bare.ask(), await server.ask()]);
    // Back to back: a pause costs scheduler time, which is larger than all of this.
    const later = await inTurns(rounds, [
      async () => ({ bare: await repeat(callsInTurn, bare.ask) }),
      async () => ({ ours: await repeat(callsInTurn, server.ask) }),
    ]);
    bare.close();
    await server.close();
    const typed = await prepareTyped(workbench, place);
    const { typed: typedMs } = await inTurns(3, [async () => ({ typed: (await workbench.run(typed)).durationMs })]);
    const [bareMs, ours] = [median(later.bare), median(later.ours)];
    const what = '`gemini_query` over the API, small context';
    return [
      { what: `${what}; against a bare \`fetch\``, baseline: bareMs, ours, target: atMost(3) },
      { what: `${what}: our own share, p50`, ours: ours - bareMs, target: figureBelow(5) },
      {
        what: 'The first call of a server; against the first `fetch` of a process',
        baseline: median(first.bare),
        ours: median(first.ours),
        target: atMost(3),
      },
      { what: `${what}; against \`gemini -p\``, baseline: median(typedMs), ours, target: timesFaster(150) },
      {
        what: 'Memory of a server that has answered by the API',
        unit: 'MB',
        ours: median(first.memory),
        target: figureBelow(100, 'MB'),
      },
    ];
  },
};

/** Of files; some of their characters have more than one byte. */
const largeMegabytes = 4;

/** 4 MB of files over the API, against a bare `fetch` of the same two requests: so large a message is counted before it is sent. */
export const apiLarge: Benchmark = {
  name: 'api-large',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const { place, uploads, openServer } = await prepare(workbench, { files: 100, bytes: largeMegabytes * 1_000_000 });
    const bare = await startBareFetch(workbench, place, uploads);
    const server = await openServer();
    await server.call('gemini_query', { prompt: 'Hello.', model: place.query.model });
    const before = residentMegabytes(server.pid).now;
    await server.ask();
    const growth = residentMegabytes(server.pid).peak - before;
    const times = await inTurns(rounds, [
      async () => ({ bare: await bare.ask() }),
      async () => ({ ours: await server.ask() }),
    ]);
    bare.close();
    await server.close();
    return [
      {
        what: '`gemini_query` over the API, 100 files of 4 MB; against a `fetch` that uploads them',
        baseline: median(times.bare),
        ours: median(times.ours),
        target: atMost(1.3),
      },
      {
        what: 'The same: growth of memory, against the bytes',
        unit: 'MB',
        baseline: largeMegabytes,
        ours: growth,
        target: atMost(4),
      },
    ];
  },
};

/** `uploads` is a file with the requests that a query makes. */
async function prepare(workbench: Workbench, size: Parameters<typeof openOfflinePlace>[1]) {
  const place = await openOfflinePlace(workbench, size, 'api');
  const openServer = async (variables: Readonly<Record<string, string>> = {}) => {
    const environment = { ...place.environment, ...variables };
    const server = await startServer(workbench, { ...place, environment, cliPath: noCli });
    return { ...server, ask: () => server.call('gemini_query', place.query) };
  };
  const api = await startOfflineGeminiApi();
  const recording = await openServer({ GOOGLE_GEMINI_BASE_URL: api.url });
  await recording.ask();
  await recording.close();
  await api.close();
  const uploads = join(place.home, 'uploads.json');
  await writeFile(
    uploads,
    JSON.stringify(api.requests.map(({ path, body }) => ({ path, body: JSON.stringify(body) }))),
  );
  return { place, uploads, openServer };
}

type BareFetch = {
  /** Sends the recorded requests again, one after the other. Resolves to the milliseconds that the process took. */
  readonly ask: () => Promise<number>;
  readonly close: () => void;
};

async function startBareFetch(
  workbench: Workbench,
  { environment }: OfflinePlace,
  uploads: string,
): Promise<BareFetch> {
  const child = workbench.start({ ...ownProgram('bare-fetch', uploads), environment });
  const reader = createInterface({ input: child.stdout });
  const lines = reader[Symbol.asyncIterator]();
  await lines.next();
  return {
    ask: async () => {
      child.stdin.write('\n');
      const { value, done = false } = await lines.next();
      if (done) {
        throw new Error('The process of the bare fetch has ended');
      }
      return Number(value);
    },
    close: () => reader.close(),
  };
}
