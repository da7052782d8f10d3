import { atMost, type Benchmark, below, figureBelow, timesFaster } from '../benchmark.ts';
import { interleave, type Reading } from '../interleave.ts';
import { smallSize } from '../query-setup.ts';
import { recordRun } from '../recorded-run.ts';
import { residentMemory } from '../resident-memory.ts';
import { runToEnd } from '../run-to-end.ts';
import { Series } from '../series.ts';
import { startServer } from '../server-client.ts';
import { prepareUsualRun } from '../usual-run.ts';
import type { Workbench } from '../workbench.ts';
import { type ApiSetup, BareFetch, noCli, recordUploads, setUpApi } from './api-setup.ts';

const bytesPerMegabyte = 1_000_000;
const callsPerRound = 5;
/** Calls that come before those that count: V8 has compiled what they use by then. */
const callsBefore = 20;

/** A gemini_query over the API, no CLI anywhere, against a bare `fetch` of the same request by a process of its own. */
export const apiCalls: Benchmark = {
  name: 'api',
  defaultRounds: 30,
  run: async (workbench, rounds) => {
    const setup = await setUpApi(workbench, smallSize);
    const body = await recordUploads(workbench, setup);
    const first = await measureFirstCalls(workbench, setup, body);
    const { bare, ours } = await measureLaterCalls(workbench, setup, body, rounds);
    const typed = await measureTyped(workbench, setup);
    const what = '`gemini_query` over the API, small context';
    return [
      {
        what: `${what}; against a bare \`fetch\``,
        unit: 'ms',
        baseline: bare.median,
        ours: ours.median,
        target: atMost(3),
      },
      {
        what: `${what}: our own share, p50`,
        unit: 'ms',
        baseline: null,
        ours: ours.median - bare.median,
        target: figureBelow(5),
      },
      {
        what: 'The first call of a server; against the first `fetch` of a process',
        unit: 'ms',
        baseline: first.bare.median,
        ours: first.ours.median,
        target: atMost(3),
      },
      {
        what: `${what}; against \`gemini -p\``,
        unit: 'ms',
        baseline: typed,
        ours: ours.median,
        target: timesFaster(150),
      },
      {
        what: 'Memory of a server that has answered by the API',
        unit: 'MB',
        baseline: null,
        ours: first.memory.median,
        target: figureBelow(100),
      },
    ];
  },
};

type FirstCalls = { readonly bare: Series; readonly ours: Series; readonly memory: Series };

/** Each in a process that has just started and done nothing yet. */
async function measureFirstCalls(workbench: Workbench, setup: ApiSetup, body: string): Promise<FirstCalls> {
  const [bare, ours, memory] = [new Series(), new Series(), new Series()];
  await interleave(7, [
    async () => {
      const client = await BareFetch.start(workbench, setup, body);
      const figure = await client.ask();
      client.close();
      return [{ series: bare, figure }];
    },
    async () => {
      const server = await startServer(workbench, setup, noCli);
      const figure = await server.ask();
      const bytes = residentMemory(server.pid)?.now ?? 0;
      await server.close();
      return [
        { series: ours, figure },
        { series: memory, figure: bytes / bytesPerMegabyte },
      ];
    },
  ]);
  return { bare, ours, memory };
}

async function measureLaterCalls(
  workbench: Workbench,
  setup: ApiSetup,
  body: string,
  rounds: number,
): Promise<Pick<FirstCalls, 'bare' | 'ours'>> {
  const [bare, ours] = [new Series(), new Series()];
  const client = await BareFetch.start(workbench, setup, body);
  const server = await startServer(workbench, setup, noCli);
  for (let call = 0; call < callsBefore; call += 1) {
    await client.ask();
    await server.ask();
  }
  // One right after the other: what a pause costs is the scheduler's, and larger than all of this.
  await interleave(rounds, [() => readings(bare, () => client.ask()), () => readings(ours, () => server.ask())]);
  client.close();
  await server.close();
  return { bare, ours };
}

async function readings(series: Series, ask: () => Promise<number>): Promise<readonly Reading[]> {
  const taken: Reading[] = [];
  for (let call = 0; call < callsPerRound; call += 1) {
    taken.push({ series, figure: await ask() });
  }
  return taken;
}

/** What a user would type instead: the CLI, asking the same API. Resolves to the median of a few runs, for each takes seconds. */
async function measureTyped(workbench: Workbench, setup: ApiSetup): Promise<number> {
  const usual = await prepareUsualRun(workbench, setup, await recordRun(workbench, setup));
  const typed = new Series();
  await interleave(3, [async () => [{ series: typed, figure: (await runToEnd(workbench, usual)).durationMs }]]);
  return typed.median;
}

/** Bytes of text, and of the files that hold it. */
const largeSize = { files: 100, bytes: 4_000_000 };

/** 4 MB of files over the API, against a bare `fetch` of the same two requests: so large a message is counted before it is sent. */
export const apiLarge: Benchmark = {
  name: 'api-large',
  defaultRounds: 9,
  run: async (workbench, rounds) => {
    const setup = await setUpApi(workbench, largeSize);
    const body = await recordUploads(workbench, setup);
    const [bare, ours, growth] = [new Series(), new Series(), new Series()];
    const client = await BareFetch.start(workbench, setup, body);
    const server = await startServer(workbench, setup, noCli);
    await server.call('gemini_query', { prompt: 'Hello.', model: setup.query.model });
    const before = residentMemory(server.pid)?.now ?? 0;
    await server.ask();
    growth.add(((residentMemory(server.pid)?.peak ?? 0) - before) / bytesPerMegabyte);
    await interleave(rounds, [
      async () => [{ series: bare, figure: await client.ask() }],
      async () => [{ series: ours, figure: await server.ask() }],
    ]);
    client.close();
    await server.close();
    const what = '`gemini_query` over the API, 100 files of 4 MB';
    return [
      {
        what: `${what}; against a \`fetch\` that uploads them`,
        unit: 'ms',
        baseline: bare.median,
        ours: ours.median,
        target: atMost(1.3),
      },
      {
        what: 'The same: growth of memory, against the bytes',
        unit: 'MB',
        baseline: largeSize.bytes / bytesPerMegabyte,
        ours: growth.median,
        target: below(4),
      },
    ];
  },
};
