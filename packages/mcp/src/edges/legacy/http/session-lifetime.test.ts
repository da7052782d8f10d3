import { describe, expect, it } from 'vitest';
import { callTool, messagesOf, rpc } from '../../testing/http-caller.ts';
import { statusAndJson } from '../../testing/status-and-json.ts';
import { setUpSessions } from './testing/set-up-sessions.ts';
import { unknownSession } from './testing/unknown-session.ts';

describe('an idle session', () => {
  it('ends after its time', async () => {
    const { begin, clock, endpoint, idleMs } = setUpSessions();
    const session = await begin();
    await clock.advance(idleMs - 1);
    await (await session.post(rpc(1, 'ping'))).text();
    await clock.advance(idleMs - 1);
    expect(endpoint.load).toEqual({ sessions: 1 });
    await clock.advance(1);
    expect(await statusAndJson(await session.post(rpc(2, 'ping')))).toEqual(unknownSession);
    expect(endpoint.load).toEqual({ sessions: 0 });
    expect(clock.sleeping).toBe(0);
  });

  it('does not end while a call runs', async () => {
    const { begin, clock, begun, hanging, endpoint, idleMs } = setUpSessions();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    await clock.advance(10 * idleMs);
    expect(endpoint.load).toEqual({ sessions: 1 });
    hanging[0]?.finish();
    await response.text();
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('does not end while its stream is open', async () => {
    const { begin, clock, endpoint, idleMs } = setUpSessions();
    const session = await begin();
    const caller = session.caller();
    const stream = await session.get(caller);
    await clock.advance(10 * idleMs);
    expect(endpoint.load).toEqual({ sessions: 1 });
    await stream.body?.cancel();
    caller.hangUp();
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });
});

describe('when as many sessions are held as may be', () => {
  it('the longest idle one of the caller with the most makes room', async () => {
    const { begin, clock, endpoint } = setUpSessions(3);
    const bob = await begin('bob');
    await clock.advance(1);
    const first = await begin('alice');
    await clock.advance(1);
    const second = await begin('alice');
    await clock.advance(1);
    await begin('alice');
    expect((await bob.post(rpc(1, 'ping'))).status).toBe(200);
    expect((await first.post(rpc(1, 'ping'))).status).toBe(404);
    expect((await second.post(rpc(1, 'ping'))).status).toBe(200);
    expect(endpoint.load).toEqual({ sessions: 3 });
  });

  it("a flood of one caller's pushes out its own alone", async () => {
    const { begin, endpoint } = setUpSessions(5);
    const others = [await begin('bob'), await begin('carol')];
    for (let count = 0; count < 50; count += 1) {
      await begin('mallory');
    }
    const statuses = await Promise.all(others.map(async (other) => (await other.post(rpc(1, 'ping'))).status));
    expect(statuses).toEqual([200, 200]);
    expect(endpoint.load).toEqual({ sessions: 5 });
  });

  it('a newcomer displaces only idle sessions of callers that hold more', async () => {
    const { begin, begun, tryToBegin, endpoint, hanging } = setUpSessions(2);
    const [first, second] = [await begin('alice'), await begin('alice')];
    await first.post(callTool(1, 'hang'));
    await second.post(callTool(1, 'hang'));
    await begun(2);
    const refused = await tryToBegin('bob');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    hanging[1]?.finish();
    await new Promise(setImmediate);
    expect((await tryToBegin('bob')).status).toBe(200);
    expect(hanging[0]?.signal.aborted).toBe(false);
    expect(endpoint.load).toEqual({ sessions: 2 });
  });
});

describe('closing with sessions', () => {
  it('aborts running calls, answers the waiting clients with an error, and begins no further session', async () => {
    const { begin, begun, hanging, endpoint, tryToBegin } = setUpSessions();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    await endpoint.close();
    expect(hanging[0]?.signal.aborted).toBe(true);
    expect(await messagesOf(response)).toMatchObject([{ id: 1, error: { code: -32_000 } }]);
    await endpoint.callsEnded();
    expect((await tryToBegin('alice')).status).toBe(503);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });
});

describe('a closing that comes with a call in a session', () => {
  it.each(Array.from({ length: 16 }, (_, turns) => turns))(
    'leaves nothing running, %i turns after the call',
    async (turns) => {
      const { endpoint, begin, hanging } = setUpSessions();
      const session = await begin();
      const response = session.post(callTool(1, 'hang'));
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.resolve();
      }
      await endpoint.close();
      await response;
      await endpoint.callsEnded();
      await new Promise(setImmediate);
      expect(hanging.filter(({ signal }) => !signal.aborted)).toEqual([]);
    },
  );
});
