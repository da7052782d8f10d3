import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LentResult } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describeToolSourceContract, type ToolSourceHarness } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameTool } from '../name-tool.ts';
import { callTool, UpstreamPlace } from '../testing/upstream-place.ts';
import { type ReadAnswer, UpstreamSource } from './upstream-source.ts';

const never = new AbortController().signal;

const readAnswer: ReadAnswer = async ({ content }, { tool }): Promise<LentResult> => {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : '';
  return { text: `Result of ${tool}: ${text}`, data: { text }, isDone: true };
};

async function createHarness(): Promise<ToolSourceHarness> {
  const place = new UpstreamPlace();
  await place.open();
  const clock = new FakeClock();
  const upstream = place.odd('none', { clock, onChange: (what) => what === 'lists' && source.tellChange() });
  const source = new UpstreamSource({ clock, upstreams: [upstream], readAnswer });
  const count = (what: RegExp): number =>
    linesOf(join(place.directory, 'heard')).filter((line) => what.test(line)).length;
  return {
    source,
    echo: nameTool({ server: 'odd one', tool: 'repeat' }, 'gemini'),
    wait: nameTool({ server: 'odd one', tool: 'wait' }, 'gemini'),
    begun: () => count(/^(?:calls|waits) /),
    waiting: () => count(/^waits /) - count(/^cancelled /),
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    change: async () => {
      const before = (await upstream.knownLists())?.tools.length ?? 0;
      await callTool(upstream, 'change');
      await expect
        .poll(async () => {
          await clock.advance(1_000);
          return (await upstream.knownLists())?.tools.length;
        })
        .toBe(before + 1);
    },
    close: () => place.close(),
  };
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

describeToolSourceContract({ name: 'UpstreamSource', create: createHarness });

describe('UpstreamSource', () => {
  let place: UpstreamPlace;

  beforeEach(async () => {
    place = new UpstreamPlace();
    await place.open();
  });

  afterEach(() => place.close());

  function call(name: string, args: Readonly<Record<string, unknown>> = {}) {
    return { name, arguments: args, deadlineAtMs: Date.now() + 60_000 };
  }

  it('a server that does not answer keeps the list of the others waiting for five seconds once, and no call at all', async () => {
    const clock = new FakeClock();
    const silent = place.odd('never answers', { clock, name: 'silent' });
    const well = place.odd('none', { clock, name: 'well' });
    const source = new UpstreamSource({ clock, upstreams: [silent, well], readAnswer });
    const listing = source.list(never);
    await place.until(async () => (await well.knownLists()) !== null);
    await clock.advance(5_000);
    expect((await listing).map(({ name }) => name)).toEqual([
      'well__echo',
      'well__repeat',
      'well__wait',
      'well__crash',
      'well__count',
    ]);
  });

  it('a flooding server delays no other: its neighbour answers 200 calls meanwhile', async () => {
    const flood = place.odd('floods with notifications', { name: 'flood' });
    const garbage = place.odd('prints one line without end', { name: 'garbage', limits: { connectMs: 500 } });
    const well = place.odd('none', { name: 'well' });
    await callTool(flood, 'echo');
    const connecting = garbage.connect(never);
    const source = new UpstreamSource({ clock: place.clock, upstreams: [well, flood], readAnswer });
    const texts = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      texts.add((await source.call(call('well__echo', { n }), never)).text);
    }
    expect(texts.size).toBe(200);
    await connecting;
  });

  it('a server that crashes is said not to be there, and the next server is', async () => {
    const source = new UpstreamSource({
      clock: place.clock,
      upstreams: [place.odd('none', { name: 'a' }), place.odd('none', { name: 'b' })],
      readAnswer,
    });
    expect(await source.call(call('a__crash'), never)).toEqual({
      text: 'Failed: The server a is not there. Its process is over: it ended with 9. It may have been carried out all the same.',
      data: { code: 'server-unavailable', message: 'The server a is not there. Its process is over: it ended with 9.' },
      isDone: true,
    });
    expect((await source.call(call('b__count'), never)).text).toBe('Result of count: 1');
  });

  it('a name of an argument that Gemini cannot take is put back for the server, and no tool is said to change nothing', async () => {
    const upstream = place.odd('lists an odd argument', { name: 's' });
    const source = new UpstreamSource({ clock: place.clock, upstreams: [upstream], readAnswer });
    const [tool] = await source.list(never);
    expect(tool?.changes).toBe(true);
    const [renamed = ''] = Object.keys(Object(tool?.inputSchema['properties']));
    expect(renamed).toMatch(/^per_page_/);
    expect((await source.call(call('s__echo', { [renamed]: 5 }), never)).text).toBe('Result of echo: {"per-page":5}');
  });

  it(`10,000 calls of two owners with equal ids, over stdio: none crosses`, { timeout: 60_000 }, async () => {
    const owners = ['ada', 'bob'].map((owner) => {
      const upstream = place.odd('none', { key: owner, name: 's', limits: { maxCalls: 100 } });
      return { owner, source: new UpstreamSource({ clock: place.clock, upstreams: [upstream], readAnswer }) };
    });
    let crossed = 0;
    const work = owners.map(async ({ owner, source }) => {
      for (let round = 0; round < 50; round += 1) {
        const results = await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            source.call(call('s__echo', { from: `${owner}-${round}-${index}` }), never),
          ),
        );
        crossed += results.filter(({ text }, index) => !text.includes(`"${owner}-${round}-${index}"`)).length;
      }
    });
    await Promise.all(work);
    expect(crossed).toBe(0);
    expect(place.processes.started).toBe(2);
  });
});
