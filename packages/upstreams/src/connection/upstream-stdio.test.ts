import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, requestOf, toolNames, UpstreamPlace } from '../testing/upstream-place.ts';

const never = new AbortController().signal;
let place: UpstreamPlace;

beforeEach(async () => {
  place = new UpstreamPlace();
  await place.open();
});

afterEach(async () => {
  await place.close();
  expect(place.processes.running).toBe(0);
});

describe('An upstream over standard streams', () => {
  it('starts nothing before the first call, and one process for all that come together', async () => {
    const upstream = place.odd('none');
    expect(await toolNames(upstream)).toBeNull();
    expect(place.processes.started).toBe(0);
    const answers = await Promise.all([1, 2, 3].map((n) => callTool(upstream, 'echo', { n })));
    expect(answers).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(place.processes.started).toBe(1);
  });

  it('has the lists after the first call, and keeps them for the next start', async () => {
    const upstream = place.odd('none');
    await callTool(upstream, 'echo');
    await place.until(async () => (await toolNames(upstream)) !== null);
    expect(await toolNames(upstream)).toEqual(['echo', 'repeat', 'wait', 'crash', 'count']);
  });

  it('HUB-17: a server that never answers fails when the time to connect is over', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('never answers', { clock });
    const called = callTool(upstream, 'echo');
    await expect.poll(() => place.heard()).toEqual(['initialize']);
    await clock.advance(30_000);
    expect(await called).toEqual({ type: 'unavailable', detail: 'It did not answer within 30 s.', wasSent: false });
    expect((await upstream.describe()).state).toMatchObject({
      type: 'failed',
      failures: 1,
      failure: { kind: 'silent' },
    });
    await expect.poll(() => place.processes.running).toBe(0);
  });

  it('one that prints and answers nothing fails with what it printed', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('prints and never answers', { clock });
    const called = callTool(upstream, 'echo');
    await expect.poll(() => place.heard()).toEqual(['initialize']);
    await clock.advance(30_000);
    const detail =
      'It did not answer within 30 s. Its output is not MCP:\n| Listening on \\u{1b}[1mport\\u{1b}[0m 8080';
    expect(await called).toEqual({ type: 'unavailable', detail, wasSent: false });
  });

  it.each([
    ['exits at once', 'Its process ended: it exited with code 3.'],
    ['says why and exits', 'Its process ended: it exited with code 1. Its last lines on stderr:\n| No key was given'],
    ['refuses the greeting', 'It did not take the first request:\n| Set NOTES_KEY first'],
  ])('HUB-22: %s: the failure says so', async (oddity, detail) => {
    const upstream = place.odd(oddity);
    expect(await callTool(upstream, 'echo')).toEqual({ type: 'unavailable', detail, wasSent: false });
  });

  it('HUB-04: one that has our own name is this program, and refused', async () => {
    const upstream = place.odd('none', { client: { name: 'odd', version: '1' } });
    expect(await callTool(upstream, 'echo')).toEqual({
      type: 'unavailable',
      detail: 'It is this program itself, which cannot use itself as a server.',
      wasSent: false,
    });
    await expect.poll(() => place.processes.running).toBe(0);
  });

  it('a program that cannot be started is a failure', async () => {
    const upstream = place.program('/nowhere/server', []);
    expect(await callTool(upstream, 'echo')).toMatchObject({ type: 'unavailable', wasSent: false });
    expect((await upstream.describe()).state).toMatchObject({ type: 'failed', failure: { kind: 'not-started' } });
  });

  it('HUB-22: after three failures the circuit is open: nothing is started until the pause is over', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('exits at once', { clock });
    await callTool(upstream, 'echo');
    for (const pauseMs of [1_000, 5_000]) {
      const called = callTool(upstream, 'echo');
      await clock.advance(pauseMs);
      await called;
    }
    expect(place.processes.started).toBe(3);
    expect(await callTool(upstream, 'echo')).toEqual({
      type: 'unavailable',
      detail: 'It failed 3 times in a row and is tried again in 30 s. Its process ended: it exited with code 3.',
      wasSent: false,
    });
    expect(place.processes.started).toBe(3);
    await clock.advance(30_000);
    await callTool(upstream, 'echo');
    expect(place.processes.started).toBe(4);
  });

  it('a server that comes back is used again, and its failures are forgotten', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('comes up the third time', { clock });
    await callTool(upstream, 'echo');
    for (const pauseMs of [1_000, 5_000]) {
      const called = callTool(upstream, 'echo', { n: pauseMs });
      await clock.advance(pauseMs);
      expect(await called).toEqual(pauseMs === 5_000 ? '{"n":5000}' : expect.anything());
    }
    expect((await upstream.describe()).state).toMatchObject({ type: 'connected', failures: 0 });
  });

  it('one that crashes in the middle of a call ends the calls that wait, and says that they may have been carried out', async () => {
    const upstream = place.odd('none');
    await callTool(upstream, 'echo');
    const waiting = callTool(upstream, 'wait');
    const crashed = callTool(upstream, 'crash');
    const lost = { type: 'unavailable', detail: 'Its process ended: it exited with code 9.', wasSent: true };
    expect(await Promise.all([waiting, crashed])).toEqual([lost, lost]);
    expect((await upstream.describe()).state).toMatchObject({ type: 'failed', failures: 1 });
  });

  it('UPSTREAM-L1: an invalid answer ends its call at once', async () => {
    const upstream = place.odd('answers with no message', { clock: new FakeClock() });
    expect(await callTool(upstream, 'echo')).toMatchObject({
      type: 'unreadable',
      detail: 'Its answer is not an MCP message.',
    });
  });

  it('HUB-22: one that ends after each call is started again for the next, without a pause', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('exits after each call', { clock });
    for (let round = 1; round <= 5; round += 1) {
      expect(await callTool(upstream, 'echo')).toBe('last words');
      await expect.poll(() => place.processes.running).toBe(0);
      await place.until(async () => (await upstream.describe()).state.type === 'disconnected');
      expect(place.processes.started).toBe(round);
    }
  });

  it.each(['prints a banner', 'floods standard error', 'floods with notifications'])(
    '%s: calls are answered all the same',
    async (oddity) => {
      expect(await callTool(place.odd(oddity), 'echo', { n: 1 })).toBe('{"n":1}');
    },
  );

  it('HUB-20: one that dies in the middle of a flood of notifications ends its call', async () => {
    const upstream = place.odd('floods with notifications');
    await callTool(upstream, 'echo');
    const lost = { type: 'unavailable', detail: 'Its process ended: it exited with code 9.', wasSent: true };
    expect(await callTool(upstream, 'crash')).toEqual(lost);
  });

  it('HUB-20: one that prints garbage without end is ended, and said to flood', async () => {
    const upstream = place.odd('prints garbage without end');
    await callTool(upstream, 'echo');
    await place.until(async () => (await upstream.describe()).state.type === 'failed');
    expect((await upstream.describe()).state).toMatchObject({
      failure: {
        kind: 'flooding',
        detail: 'It wrote megabytes to its standard output that are not MCP messages.',
      },
    });
    await expect.poll(() => place.processes.running).toBe(0);
  });

  it('HUB-19: one line without end is dropped as it comes, and the server counts as silent', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('prints one line without end', { clock });
    const called = callTool(upstream, 'echo');
    await expect.poll(() => place.heard()).toEqual(['initialize']);
    await clock.advance(30_000);
    expect(await called).toMatchObject({ type: 'unavailable', wasSent: false });
  });

  it.each([
    ['answers twice', 'first'],
    ['answers unsent requests', 'real'],
  ])('HUB-18: %s: each call has its own answer', async (oddity, answer) => {
    const upstream = place.odd(oddity);
    const answers = await Promise.all(Array.from({ length: 20 }, () => callTool(upstream, 'echo')));
    expect(new Set(answers)).toEqual(new Set([answer]));
  });

  it('HUB-19: an answer of 50 MB is an error of its call, and the next call is answered', async () => {
    const upstream = place.odd('none');
    expect(await callTool(upstream, 'large')).toEqual({
      type: 'unreadable',
      detail: 'The answer was longer than 16 MB and was not read.',
    });
    expect(await callTool(upstream, 'echo')).toBe('{}');
  });

  it('an error of the server comes with its words', async () => {
    const upstream = place.odd('answers with an error');
    expect(await callTool(upstream, 'echo')).toMatchObject({ type: 'error', message: 'Bad \u001b[31margument' });
  });

  it('an abort reaches the server as a cancellation', async () => {
    const upstream = place.odd('none');
    const aborting = new AbortController();
    const called = callTool(upstream, 'wait', {}, aborting);
    await expect.poll(() => place.heard()).toContainEqual(expect.stringMatching(/^waits /));
    aborting.abort();
    expect(await called).toEqual({ type: 'cancelled', wasSent: true });
    const id = (await place.heard()).find((line) => line.startsWith('waits '))?.slice(6);
    await expect.poll(() => place.heard()).toContain(`cancelled ${id}`);
    expect(await callTool(upstream, 'echo')).toBe('{}');
  });

  it('an abort while it connects ends the call, and the connection comes up for others', async () => {
    const upstream = place.odd('none');
    const aborting = new AbortController();
    const called = callTool(upstream, 'echo', {}, aborting);
    aborting.abort();
    expect(await called).toEqual({ type: 'cancelled', wasSent: false });
    expect(await callTool(upstream, 'echo')).toBe('{}');
    expect(place.processes.started).toBe(1);
  });

  it('progress passes through and keeps the call alive; silence ends it, and the server hears so', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('none', { clock, callTimeoutMs: 1_000 });
    await callTool(upstream, 'echo');
    const told: unknown[] = [];
    const progressed = new Promise<void>((resolve) => {
      const request = upstream.request(
        requestOf(
          'tools/call',
          { name: 'wait', arguments: {} },
          {
            onProgress: (progress) => {
              told.push(progress);
              resolve();
            },
          },
        ),
        never,
      );
      void request.then((outcome) => told.push(outcome));
    });
    await progressed;
    expect(told).toEqual([{ progress: 1, total: 4, message: 'a step' }]);
    await clock.advance(1_000);
    await expect.poll(() => told[1]).toEqual({ type: 'timed-out', wasSent: true });
    await expect.poll(() => place.heard()).toContainEqual(expect.stringMatching(/^cancelled /));
  });

  it('no progress carries a call beyond its deadline', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('none', { clock });
    await callTool(upstream, 'echo');
    const called = upstream.request(
      requestOf('tools/call', { name: 'wait', arguments: {} }, { deadlineAtMs: clock.now() + 500 }),
      never,
    );
    await expect.poll(() => place.heard()).toContainEqual(expect.stringMatching(/^waits /));
    await clock.advance(500);
    expect(await called).toEqual({ type: 'timed-out', wasSent: true });
  });

  it('an idle connection ends after its time, and a call brings it back', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('none', { clock });
    await callTool(upstream, 'echo');
    await place.until(async () => (await toolNames(upstream)) !== null);
    await clock.advance(599_000);
    expect(place.processes.running).toBe(1);
    await clock.advance(1_000);
    await expect.poll(() => place.processes.running).toBe(0);
    expect((await upstream.describe()).state).toEqual({ type: 'disconnected', failures: 0 });
    expect(await callTool(upstream, 'echo')).toBe('{}');
  });

  it('a connection with a call that runs is not idle', async () => {
    const clock = new FakeClock();
    const upstream = place.odd('none', { clock, callTimeoutMs: 5_000_000 });
    await callTool(upstream, 'echo');
    const aborting = new AbortController();
    const called = callTool(upstream, 'wait', {}, aborting);
    await expect.poll(() => place.heard()).toContainEqual(expect.stringMatching(/^waits /));
    await clock.advance(2_000_000);
    expect((await upstream.describe()).state.type).toBe('connected');
    aborting.abort();
    await called;
  });

  it('more calls at a time than allowed are refused at once', async () => {
    const upstream = place.odd('none', { limits: { maxCalls: 1 } });
    const aborting = new AbortController();
    const waiting = callTool(upstream, 'wait', {}, aborting);
    expect(await callTool(upstream, 'echo')).toMatchObject({ type: 'unavailable', wasSent: false });
    aborting.abort();
    await waiting;
  });

  it('nothing is left when it is closed in the middle of everything', async () => {
    const upstream = place.odd('none');
    const connecting = callTool(upstream, 'wait');
    await upstream.close();
    expect(await connecting).toMatchObject({ type: 'unavailable' });
    expect(place.processes.running).toBe(0);
    expect(await callTool(upstream, 'echo')).toMatchObject({
      type: 'unavailable',
      detail: 'This program is shutting down.',
    });
  });
});
