import { describe, expect, it } from 'vitest';
import { callTool, messagesOf, rpc } from '../../testing/http-caller.ts';
import { statusAndJson } from '../../testing/status-and-json.ts';
import { setUpSessions } from './testing/set-up-sessions.ts';

describe('a cancellation in a session', () => {
  it.each([0, 1, '', 'x'])('is the call of the id %j whose HTTP request is closed, and no other', async (id) => {
    const { begin, begun, hanging, endpoint, log } = setUpSessions();
    const session = await begin();
    const caller = session.caller();
    const response = await session.post(callTool(id, 'hang'), caller);
    await begun(1);
    await session.post(callTool('other', 'hang'));
    await begun(2);
    caller.hangUp();
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await response.text();
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it.each([0, 1, '', 'x'])('is the call of the id %j that a notification names: its stream ends', async (id) => {
    const { begin, begun, hanging, endpoint, log } = setUpSessions();
    const session = await begin();
    const response = await session.post(callTool(id, 'hang'));
    await session.post(callTool('other', 'hang'));
    await begun(2);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    expect((await session.post(cancel)).status).toBe(202);
    expect(await messagesOf(response)).toEqual([]);
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect((await session.post(cancel)).status).toBe(202);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it("leaves another session's call of the same id alone", async () => {
    const { begin, begun, hanging } = setUpSessions();
    const [alice, bob] = [await begin('alice'), await begin('bob')];
    await alice.post(callTool(5, 'hang'));
    await begun(1);
    await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    expect(hanging[0]?.signal.aborted).toBe(false);
  });

  it('is answered only within a batch, whose other answers come on the same stream', async () => {
    const { begin, begun, hanging } = setUpSessions();
    const session = await begin();
    const response = await session.post([callTool(1, 'hang'), callTool(2, 'hang')]);
    await begun(2);
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    hanging[1]?.finish();
    expect(await messagesOf(response)).toMatchObject([
      { id: 1, error: { code: -32_000 } },
      { id: 2, result: {} },
    ]);
  });

  it('with a closed request is all of its batch, however large', async () => {
    const { begin, begun, hanging, endpoint } = setUpSessions();
    const warnings: unknown[] = [];
    const note = (warning: unknown): number => warnings.push(warning);
    process.on('warning', note);
    const session = await begin();
    const caller = session.caller();
    await session.post(
      Array.from({ length: 100 }, (_, id) => callTool(id, 'hang')),
      caller,
    );
    await begun(100);
    caller.hangUp();
    expect(hanging.every(({ signal }) => signal.aborted)).toBe(true);
    await endpoint.callsEnded();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('is never one of two calls that come with one id at the same time: the second is refused', async () => {
    const { begin } = setUpSessions();
    const session = await begin();
    const responses = await Promise.all(['one', 'two'].map((word) => session.post(callTool(1, 'echo', { word }))));
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
    const [first] = responses;
    expect(JSON.stringify(first && (await messagesOf(first)))).toMatch(/progress of one.*one for owner of alice/);
  });

  it('keeps its id until the tool has ended, and then leaves it to another', async () => {
    const { begin, begun, endpoint } = setUpSessions();
    const session = await begin();
    const caller = session.caller();
    await session.post(callTool(1, 'hang'), caller);
    await begun(1);
    expect(await statusAndJson(await session.post(rpc(1, 'ping')))).toMatchObject([
      400,
      { id: 1, error: { code: -32_600 } },
    ]);
    caller.hangUp();
    expect((await session.post(rpc(1, 'ping'))).status).toBe(400);
    await endpoint.callsEnded();
    await new Promise(setImmediate);
    expect(await messagesOf(await session.post(rpc(1, 'ping')))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });
});
