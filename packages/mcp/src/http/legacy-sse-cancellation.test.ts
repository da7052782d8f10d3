import { describe, expect, it } from 'vitest';
import { callerNamed, callTool, getRequest, rpc } from './testing/http-caller.ts';
import { postTo } from './testing/post-to.ts';
import { setUpLegacySse } from './testing/set-up-legacy-sse.ts';

describe('HTTP with SSE', () => {
  it.each(['cancel the stream', 'hang up'])('cancels what runs when its client does %s', async (how) => {
    const { endpoint, surface, begun, hanging, clock } = setUpLegacySse();
    const caller = callerNamed('alice', surface);
    const { body } = await endpoint.get(getRequest(), caller);
    const reader = body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const path = /data: (.*)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
    await endpoint.post(postTo(path), callTool(0, 'hang'), callerNamed('alice', surface));
    await begun(1);
    await (how === 'hang up' ? caller.hangUp() : reader?.cancel());
    expect(hanging[0]?.signal.aborted).toBe(true);
    expect(endpoint.load).toEqual({ sessions: 0 });
    await endpoint.callsEnded();
    expect((await endpoint.post(postTo(path), rpc(1, 'ping'), callerNamed('alice', surface))).status).toBe(404);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it.each([0, 1, '', 'x'])('cancels the call of the id %j that a notification names, without an answer', async (id) => {
    const { open, begun, hanging, endpoint } = setUpLegacySse();
    const { post, next } = await open();
    await post(callTool(id, 'hang'));
    await post(callTool('other', 'hang'));
    await begun(2);
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    await post(rpc('last', 'ping'));
    expect([await next(), await next()]).toMatchObject([{ id: 'other' }, { id: 'last' }]);
  });

  it('does not cancel what runs when the request closes that brought it', async () => {
    const { open, begun, hanging, endpoint, surface } = setUpLegacySse();
    const { path, next } = await open();
    const sender = callerNamed('alice', surface);
    await endpoint.post(postTo(path), callTool(1, 'hang'), sender);
    await begun(1);
    sender.hangUp();
    hanging[0]?.finish();
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: 'finished' }] } });
  });
});
