import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callServer, toolRequest, toolsOf, UpstreamsPlace } from './testing/upstreams-place.ts';
import type { Upstreams } from './upstreams.ts';

const never = new AbortController().signal;
let place: UpstreamsPlace;

beforeEach(async () => {
  place = new UpstreamsPlace();
  await place.open();
});

afterEach(() => place.close());

/** Lists the servers of so many owners, one after the other, and starts none. */
async function come(upstreams: Upstreams, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await upstreams.of(`owner ${number}`).list({ waitMs: 0 }, never);
  }
}

const count = (upstreams: Upstreams, owner: string) => callServer(upstreams.of(owner), toolRequest('s', 'count'));

describe('Owners who have gone', () => {
  it('of 10,000, one after the other, only the last 64 stay in memory', async () => {
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams();
    await come(upstreams, 10_000);
    expect(upstreams.owners).toBe(64);
    await Promise.all(Array.from({ length: 500 }, (_, number) => upstreams.of(`${number}`).list({ waitMs: 0 }, never)));
    expect(upstreams.owners).toBeLessThanOrEqual(500);
    await upstreams.of('another').list({ waitMs: 0 }, never);
    expect(upstreams.owners).toBe(64);
    expect(place.processes.started).toBe(0);
  });

  it('have one process while it runs, however many come, and the next call after its end starts another', async () => {
    const clock = new FakeClock();
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams({ clock });
    expect(await count(upstreams, 'ada')).toBe('1');
    await come(upstreams, 200);
    expect([await count(upstreams, 'ada'), upstreams.owners]).toEqual(['2', 64]);
    const waiting = upstreams.of('ada').request(toolRequest('s', 'wait'), never);
    await expect.poll(() => place.heard()).toContainEqual(expect.stringMatching(/^waits/));
    await come(upstreams, 200);
    await callServer(upstreams.of('ada'), toolRequest('s', 'crash'));
    expect(await waiting).toMatchObject({ type: 'unavailable', wasSent: true });
    await expect.poll(() => place.processes.running).toBe(0);
    await come(upstreams, 200);
    await clock.advance(1_000);
    expect(await count(upstreams, 'ada')).toBe('1');
    expect(await count(upstreams, 'ada')).toBe('2');
    expect(place.processes.running).toBe(1);
  });

  it('stay while they listen, and keep getting changes', async () => {
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams();
    let told = 0;
    const stop = upstreams.of('ada').onChange(() => {
      told += 1;
    });
    await come(upstreams, 200);
    place.configure({ s: place.odd('none'), t: place.odd('none', 't') });
    await upstreams.of('bob').list({ waitMs: 0 }, never);
    expect(told).toBe(1);
    stop();
    await come(upstreams, 200);
    expect(upstreams.owners).toBe(64);
  });

  it('may use their servers as soon as they hear of a change, and hear of it once', async () => {
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams();
    const told: string[] = [];
    for (const owner of ['ada', 'bob']) {
      upstreams.of(owner).onChange(() => {
        told.push(owner);
        void upstreams.of(owner).list({ waitMs: 0 }, never);
        void upstreams.of(`friend of ${owner}`).list({ waitMs: 0 }, never);
      });
    }
    await come(upstreams, 1);
    place.configure({ t: place.odd('none') });
    await come(upstreams, 1);
    expect(told).toEqual(['ada', 'bob']);
  });

  it('a call that comes while others come and go works, by the same process each time', async () => {
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams({ maxProcesses: 4 });
    const wrong: unknown[] = [];
    const work = async (name: string): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        const answers = await Promise.all([count(upstreams, name), come(upstreams, 70)]);
        wrong.push(...[answers[0]].filter((answer) => answer !== String(round + 1)));
      }
    };
    await Promise.all(['ada', 'bob', 'eve'].map(work));
    expect(wrong).toEqual([]);
    expect(place.processes.started).toBe(3);
  });

  it('are kept where the tools that they have seen could not be: a change of these is noticed all the same', async () => {
    const clock = new FakeClock();
    const list = (description: string) =>
      writeFile(join(place.directory, 'heard.tools'), JSON.stringify([{ name: 'echo', description }]));
    await list('Says it again');
    place.configure({ s: place.odd('lists what its file says') });
    const toolPinStore = { load: async () => null, add: async () => 'The disk is full.' };
    const upstreams = place.upstreams({ clock, toolPinStore });
    const connect = () => upstreams.connect('ada', { server: null, waitMs: 60_000 }, never);
    const tools = async () => toolsOf((await upstreams.of('ada').list({ waitMs: 0 }, never))[0]);
    await connect();
    expect(await tools()).toEqual(['echo']);
    await clock.advance(600_000);
    await expect.poll(() => place.processes.running).toBe(0);
    await come(upstreams, 200);
    await list('Deletes it');
    await connect();
    expect(await tools()).toEqual(['echo (changed)']);
  });
});
