import { describe, expect, it } from 'vitest';
import { callerNamed, callTool, getRequest, rpc } from './testing/http-caller.ts';
import { setUpLegacySse } from './testing/set-up-legacy-sse.ts';

/** Lets a call of `echo` come to its end. */
async function settled(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('HTTP with SSE', () => {
  it('opens no stream for who does not accept one', async () => {
    const { endpoint, surface } = setUpLegacySse();
    const response = await endpoint.get(getRequest({ accept: 'application/json' }), callerNamed('alice', surface));
    expect(response.status).toBe(406);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('opens nothing for a client that is gone already', async () => {
    const { endpoint, surface } = setUpLegacySse();
    const caller = callerNamed('alice', surface);
    caller.hangUp();
    await endpoint.get(getRequest(), caller);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('takes no more from a client that does not read, and goes on when it does', async () => {
    const { open } = setUpLegacySse();
    const { post, next } = await open();
    const word = 'x'.repeat(100_000);
    let accepted = 0;
    while (accepted < 100 && (await post(callTool(accepted, 'echo', { word }))).status === 202) {
      accepted += 1;
      await settled();
    }
    expect(accepted).toBeGreaterThan(5);
    expect(accepted).toBeLessThan(20);
    for (let last: unknown; last !== accepted - 1; ) {
      last = Object(await next()).id;
    }
    expect((await post(rpc('last', 'ping'))).status).toBe(202);
    expect(await next()).toMatchObject({ id: 'last' });
  });

  it('says something in time on a silent stream', async () => {
    const { endpoint, surface, clock } = setUpLegacySse();
    const { body } = await endpoint.get(getRequest(), callerNamed('alice', surface));
    const reader = body?.getReader();
    await reader?.read();
    await clock.advance(15_000);
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe(': keepalive\n\n');
    await endpoint.close();
    expect(await reader?.read()).toEqual({ value: undefined, done: true });
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it('has room for so many streams, and makes it of what was idle for long', async () => {
    const { open, clock, endpoint, surface, begun, idleMs } = setUpLegacySse(2);
    const [first, second] = [await open('alice'), await open('alice')];
    const refused = await endpoint.get(getRequest(), callerNamed('bob', surface));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await first.post(callTool(1, 'hang'));
    await begun(1);
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 2 });
    await open('bob');
    expect(endpoint.load).toEqual({ sessions: 2 });
    expect((await first.post(rpc(2, 'ping'))).status).toBe(202);
    expect((await second.post(rpc(2, 'ping'))).status).toBe(404);
  });

  it('when it is closed tells those who wait, and opens no stream more', async () => {
    const { open, begun, hanging, endpoint, surface, log } = setUpLegacySse();
    const { post, next } = await open();
    await post(callTool(1, 'hang'));
    await begun(1);
    await endpoint.close();
    expect(await next()).toMatchObject({ id: 1, error: { code: -32_000 } });
    expect(await next()).toBeNull();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await endpoint.callsEnded();
    expect((await endpoint.get(getRequest(), callerNamed('alice', surface))).status).toBe(503);
    expect(log).toEqual([]);
  });
});
