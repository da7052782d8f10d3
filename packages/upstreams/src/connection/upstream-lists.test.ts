import { listsInMemory } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, toolNames, UpstreamPlace } from '../testing/upstream-place.ts';
import type { UpstreamServer } from '../upstream-server.ts';

const never = new AbortController().signal;
let place: UpstreamPlace;

beforeEach(async () => {
  place = new UpstreamPlace();
  await place.open();
});

afterEach(() => place.close());

async function listsOf(upstream: UpstreamServer) {
  await upstream.connect(never);
  const { lists, listProblem } = await upstream.describe();
  return { names: lists?.tools.map(({ listed }) => listed.name), leftOut: lists?.leftOut, listProblem };
}

describe('The lists of an upstream', () => {
  it('are kept: another server of the same owner has them without a start, and one of another owner has not', async () => {
    const upstreamListStore = listsInMemory();
    await listsOf(place.odd('none', { upstreamListStore, owner: 'ada' }));
    const { started } = place.processes;
    expect(await toolNames(place.odd('none', { upstreamListStore, owner: 'ada' }))).toHaveLength(5);
    expect(await toolNames(place.odd('none', { upstreamListStore, owner: 'bob' }))).toBeNull();
    expect(place.processes.started).toBe(started);
  });

  it('HUB-08: of pages for ever end, and say so', async () => {
    const { names, leftOut } = await listsOf(place.odd('pages for ever', { clock: new FakeClock() }));
    expect(names).toHaveLength(200);
    expect(leftOut).toEqual(['tools/list: the rest was not read, because it has more than 200 pages.']);
  });

  it('HUB-08: of pages in a circle end, and say so', async () => {
    const { names, leftOut } = await listsOf(place.odd('pages in a circle'));
    expect(names).toEqual(['tool-0', 'tool-1', 'tool-0']);
    expect(leftOut).toEqual(['tools/list: the rest was not read, because its pages repeat.']);
  });

  it('HUB-09: of 10,000 tools are cut, and say so', async () => {
    const { names, leftOut } = await listsOf(place.odd('lists 10,000 tools'));
    expect(names).toHaveLength(2_000);
    expect(leftOut).toEqual([
      'tools/list: the rest was not read, because its list is longer than 2000 entries or 8 MB.',
    ]);
  });

  it('HUB-09: leave out invalid tools, and nothing else', async () => {
    const upstream = place.odd('lists invalid tools');
    expect(await listsOf(upstream)).toEqual({
      names: ['plain', '__proto__'],
      leftOut: ['tools/list: 1 entries are too large.', '8 of the tools: not a valid tool of MCP.'],
      listProblem: null,
    });
    const { lists } = await upstream.describe();
    expect(lists?.tools[1]?.listed).toMatchObject({ inputSchema: { type: 'object' }, annotations: {} });
  });

  it('that are invalid appear as a problem in the status, and calls continue', async () => {
    const upstream = place.odd('lists no list');
    expect(await listsOf(upstream)).toMatchObject({ listProblem: 'Its answer to tools/list has no list of tools.' });
    expect(await callTool(upstream, 'echo')).toBe('{}');
  });

  it('that never arrive time out, and calls continue meanwhile', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('never lists', { clock });
    expect(await callTool(upstream, 'echo')).toBe('{}');
    await expect.poll(async () => (await place.heard()).length).toBeGreaterThan(0);
    const connecting = upstream.connect(never);
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return (await upstream.describe()).listProblem;
      })
      .toBe('It did not answer tools/list in time.');
    await place.close();
    await connecting;
  });

  it('HUB-16: that change 1,000 times are read again once, a second after the last time', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('none', { clock });
    await listsOf(upstream);
    const before = (await place.heard()).filter((line) => line === 'lists').length;
    expect(await callTool(upstream, 'change')).toBe('changed');
    expect(await callTool(upstream, 'change')).toBe('changed');
    await clock.advance(999);
    expect(await callTool(upstream, 'echo')).toBe('{}');
    expect((await place.heard()).filter((line) => line === 'lists')).toHaveLength(before);
    await clock.advance(1);
    await place.until(async () => (await toolNames(upstream))?.length === 7);
    expect((await place.heard()).filter((line) => line === 'lists')).toHaveLength(before + 1);
  });
});
