import { createHash } from 'node:crypto';
import { FileRecordStore, SystemClock } from '@gemini-mcp/adapters-node';
import { ListRecords, type OtherServers, PinRecords } from '@gemini-mcp/core/internal';
import type { UpstreamsOptions } from '@gemini-mcp/hub';
import { type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { Series } from '../series.ts';
import type { Workbench } from '../workbench.ts';
import { callerOf } from './callers.ts';
import { openHub } from './open-hub.ts';
import { startPlainServer } from './plain-server.ts';

const servers = 20;
const toolsEach = 30;
const listsInRound = 50;

/** More than any list may take: a wait for a server shows. */
const waitMs = 30_000;

/** Nothing listens on this port. */
const deadUrl = 'http://127.0.0.1:9/mcp';

const never = new AbortController().signal;

/** The list of servers that were listed in an earlier process, three of which do not answer by now. */
export const hubLists: Benchmark = {
  name: 'hub-lists',
  defaultRounds: 40,
  run: async (workbench, rounds) => {
    const owned = await openListed(workbench);
    const [first, later] = [new Series(), new Series()];
    first.add(await timeList(owned));
    for (const server of ['server-0', 'server-1', 'server-2']) {
      void callerOf(owned, server)().catch(() => undefined);
    }
    for (let count = 0; count < rounds * listsInRound; count += 1) {
      later.add(await timeList(owned));
    }
    const what = `The list of ${servers} servers with ${toolsEach} tools each, one of them dead, one hanging and one slow`;
    const row = (name: string, ours: number, target: Comparison['target']): Comparison => ({
      what: name,
      unit: 'ms',
      baseline: null,
      ours,
      target,
    });
    return [
      row(`${what}: p50`, later.median, figureBelow(5)),
      row('The same: p99', later.quantile(0.99), null),
      row('The same: the first of a hub, read from the disk', first.median, figureBelow(40)),
    ];
  },
};

/** A hub that has on the disk what all of its servers had when they were well. */
async function openListed(workbench: Workbench): Promise<OtherServers> {
  const stateDirectory = await workbench.makeDirectory();
  const [good, hanging, slow] = await Promise.all([
    startPlainServer(workbench, toolsEach),
    startPlainServer(workbench, 'hangs'),
    startPlainServer(workbench, 'slow'),
  ]);
  // Each another address: servers with one configuration would share what is kept.
  const entries = Object.fromEntries(
    Array.from({ length: servers }, (_, index) => [`server-${index}`, { httpUrl: `${good.httpUrl}?${index}` }]),
  );
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const stores = () => {
    const records = new FileRecordStore({ directory: stateDirectory, clock: new SystemClock() });
    return { keptLists: new ListRecords(records, sha256), keptPins: new PinRecords(records, sha256) };
  };
  const before = openHub(workbench, entries, stores());
  await list(before.of('owner'));
  await before.close();
  const urls = [deadUrl, hanging.httpUrl, slow.httpUrl];
  const reach: UpstreamsOptions['reach'] = async ({ entry }) => {
    const url = urls[Number(entry.name.slice('server-'.length))] ?? good.httpUrl;
    return { isKnown: true, transport: { type: 'http', url, headers: {} }, fetch };
  };
  return openHub(workbench, entries, { ...stores(), reach }).of('owner');
}

/** Throws where anything is missing. */
async function list(owned: OtherServers): Promise<void> {
  const listed = await owned.list({ waitMs }, never);
  const tools = listed.flatMap(({ lists }) =>
    (lists?.tools ?? []).filter(({ judgement }) => judgement.type === 'lent'),
  );
  if (tools.length !== servers * toolsEach) {
    throw new Error(`${tools.length} tools are listed`);
  }
}

async function timeList(owned: OtherServers): Promise<number> {
  const startedAt = performance.now();
  await list(owned);
  return performance.now() - startedAt;
}
