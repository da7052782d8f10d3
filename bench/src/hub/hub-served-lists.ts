import { type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { interleave, type Measure } from '../interleave.ts';
import { Series } from '../series.ts';
import { killGroup, type Workbench } from '../workbench.ts';
import { type ServerSettings, startPlainProcess, startPlainServer } from './plain-server.ts';
import { countOf, type Means, ServedPlace, type ServedServer } from './served-servers.ts';

const servers = 20;
/** More than 500 tools are not listed. */
const toolsEach = 24;
const listsInTurn = 25;

const others = `with ${servers} servers of ${toolsEach} tools offered from the kept lists, one dead and one hanging`;

/** `tools/list` of the built server with and without other servers, and the first one of its process. */
export const hubServedLists: Benchmark = {
  name: 'hub-served-lists',
  defaultRounds: 20,
  run: async (workbench, rounds) => {
    const place = await openPlace(workbench);
    const comparisons: Comparison[] = [];
    for (const means of ['stdio', 'HTTP'] as const) {
      comparisons.push(...(await compareLists({ place, means, rounds })));
    }
    return [...comparisons, await compareFirst(place, rounds)];
  },
};

/** What the servers list was kept when all of them were well. */
async function openPlace(workbench: Workbench): Promise<ServedPlace> {
  const good = await startPlainServer(workbench, toolsEach);
  const [dying, stalling] = [
    await startPlainProcess(workbench, toolsEach),
    await startPlainProcess(workbench, toolsEach),
  ];
  const entries = Array.from({ length: servers }, (_, index): readonly [string, ServerSettings] => {
    // Each another address: servers with one configuration would share what is kept.
    const httpUrl = [dying.httpUrl, stalling.httpUrl][index] ?? `${good.httpUrl}?${index}`;
    return [`server-${index}`, { httpUrl }];
  });
  const place = await ServedPlace.open(workbench, Object.fromEntries(entries));
  for (const means of ['stdio', 'HTTP'] as const) {
    const server = await place.serveListed(means, servers * toolsEach);
    await server.close();
  }
  await killGroup(dying.child);
  // It goes on to take connections, and says nothing any more.
  stalling.child.kill('SIGSTOP');
  return place;
}

type ListComparison = { readonly place: ServedPlace; readonly means: Means; readonly rounds: number };

async function compareLists({ place, means, rounds }: ListComparison): Promise<readonly Comparison[]> {
  const bare = await place.serve({ means, form: null });
  const comparisons: Comparison[] = [];
  for (const form of ['auto', 'listed'] as const) {
    const ours = await place.serve({ means, form });
    expectListed(await ours.list(), form === 'listed' ? servers * toolsEach : 0);
    for (const server of ['server-0', 'server-1']) {
      void ours.call(`${server}__tool_0`).catch(() => undefined);
    }
    const [bareTime, ourTime] = [new Series(), new Series()];
    await interleave(rounds, [listsOf(bare, bareTime), listsOf(ours, ourTime)]);
    const how = form === 'listed' ? 'each of the 480 tools listed' : 'two tools that find and call them';
    const what = `\`tools/list\` of the built server over ${means}, ${others}, ${how}: p50; against none`;
    const [baseline, figure] = [bareTime.median, ourTime.median];
    comparisons.push({ what, unit: 'ms', baseline, ours: figure, target: form === 'auto' ? figureBelow(5) : null });
    await ours.close();
  }
  await bare.close();
  return comparisons;
}

/** Right after the answer to `initialize`, as clients ask. */
async function compareFirst(place: ServedPlace, rounds: number): Promise<Comparison> {
  const [bareTime, ourTime] = [new Series(), new Series()];
  const measure =
    (form: 'auto' | null, series: Series): Measure =>
    async () => {
      const server = await place.serve({ means: 'stdio', form });
      const startedAt = performance.now();
      await server.list();
      const figure = performance.now() - startedAt;
      await server.close();
      return [{ series, figure }];
    };
  await interleave(rounds, [measure(null, bareTime), measure('auto', ourTime)]);
  return {
    what: 'The first `tools/list` of its process, with them; against none',
    unit: 'ms',
    baseline: bareTime.median,
    ours: ourTime.median,
    target: null,
  };
}

function listsOf(server: ServedServer, series: Series): Measure {
  return async () => {
    const readings = [];
    for (let count = 0; count < listsInTurn; count += 1) {
      const startedAt = performance.now();
      await server.list();
      readings.push({ series, figure: performance.now() - startedAt });
    }
    return readings;
  };
}

function expectListed(answer: string, tools: number): void {
  const listed = countOf(answer);
  if (listed !== tools || (tools === 0 && !answer.includes('find_tools'))) {
    throw new Error(`${listed} tools of other servers are listed`);
  }
}
