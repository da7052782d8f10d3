import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { createSessionEndpoint, createStatelessEndpoint } from '../../../http.ts';
import { ChangingSurface } from '../../../surface/changing-surface.ts';
import type { Surface, SurfaceSource } from '../../../surface/surface.ts';
import { promptNamed, toolNamed } from '../../../testing/named-tool.ts';
import type { McpHttpOptions } from '../../mcp-http-options.ts';
import { callerNamed, initialize, messagesOf, postRequest, rpc } from '../../testing/http-caller.ts';
import { readEvents } from '../../testing/read-events.ts';
import { SessionClient } from './testing/session-client.ts';

const empty: Surface = { tools: [], prompts: [], resources: [] };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const withTool = (name: string): Surface => ({ ...empty, tools: [toolNamed(name)] });

/** A surface that knows who listens. */
class CountedSurface extends ChangingSurface {
  listeners = 0;

  override onChange(listener: () => void): () => void {
    const stop = super.onChange(listener);
    this.listeners += 1;
    return () => {
      this.listeners -= 1;
      stop();
    };
  }
}

function protocol(clock: FakeClock): McpHttpOptions {
  return { version: '1.2.3', clock, log: () => undefined };
}

/** An endpoint with sessions, and a function that begins a session and reads its tools and prompts. */
function setUp(maxSessions = 10) {
  const clock = new FakeClock();
  const endpoint = createSessionEndpoint({ ...protocol(clock), maxSessions, idleMs: 600_000 });
  const begin = async (binding: string, surface: Surface | SurfaceSource): Promise<SessionClient> => {
    const client = await SessionClient.begin({ endpoint, binding, surface });
    await client.post(initialized);
    await messagesOf(await client.post([rpc(1, 'tools/list'), rpc(2, 'prompts/list')]));
    return client;
  };
  return { clock, endpoint, begin, settle: () => clock.advance(200) };
}

async function open(client: SessionClient): Promise<{ next: () => Promise<unknown>; close: () => Promise<void> }> {
  const caller = client.caller();
  const events = readEvents(await client.get(caller));
  return {
    next: async () => JSON.parse((await events.next()) ?? 'null'),
    close: async () => {
      await events.cancel();
      caller.hangUp();
    },
  };
}

describe('over HTTP with sessions', () => {
  it('all sessions of a principal get the notice, and no other principal does', async () => {
    const { begin, endpoint, settle } = setUp();
    const [ofAlice, ofBob] = [new ChangingSurface(empty), new ChangingSurface(empty)];
    const clients = [await begin('alice', ofAlice), await begin('alice', ofAlice)];
    const bob = await begin('bob', ofBob);
    const streams = await Promise.all(clients.map(open));
    const streamOfBob = await open(bob);
    ofAlice.replace(withTool('of_alice'));
    await settle();
    expect(await Promise.all(streams.map(({ next }) => next()))).toEqual([notice, notice]);
    ofBob.replace({ ...empty, prompts: [promptNamed('of_bob')] });
    await settle();
    // If bob got a notice of alice's tools, that notice would come first.
    expect(await streamOfBob.next()).toEqual({ ...notice, method: 'notifications/prompts/list_changed' });
    await endpoint.close();
  });

  it('a notice waits for the stream, and is repeated on the next one until the list is read', async () => {
    const { begin, endpoint, settle } = setUp();
    const surface = new ChangingSurface(empty);
    const client = await begin('alice', surface);
    surface.replace(withTool('a'));
    await settle();
    const first = await open(client);
    expect(await first.next()).toEqual(notice);
    await first.close();
    const second = await open(client);
    expect(await second.next()).toEqual(notice);
    await second.close();
    await messagesOf(await client.post(rpc(2, 'tools/list')));
    const third = await open(client);
    const nextEvent = third.next();
    await endpoint.close();
    expect(await nextEvent).toBeNull();
  });

  it('200 sessions leave no listener and no timer', async () => {
    const { clock, endpoint } = setUp(200);
    const surface = new CountedSurface(empty);
    const clients: SessionClient[] = [];
    for (let count = 0; count < 200; count += 1) {
      const client = await SessionClient.begin({ endpoint, binding: 'alice', surface });
      await client.post(initialized);
      clients.push(client);
    }
    expect(surface.listeners).toBe(200);
    surface.replace(withTool('a'));
    await clock.advance(0);
    expect(clock.sleeping).toBe(200);
    for (const client of clients.slice(0, 100)) {
      await client.delete();
    }
    expect(surface.listeners).toBe(100);
    await endpoint.close();
    await clock.advance(0);
    expect([surface.listeners, clock.sleeping, endpoint.load.sessions]).toEqual([0, 0, 0]);
  });

  it('a session that is refused at its beginning does not listen', async () => {
    const { endpoint } = setUp();
    const surface = new CountedSurface(empty);
    const headers = { accept: 'application/json' };
    const response = await endpoint.post(postRequest(headers), initialize, callerNamed('alice', surface));
    expect([response.status, surface.listeners]).toEqual([406, 0]);
  });
});

describe('over HTTP without sessions', () => {
  it('each request gets the current surface, and no notice is announced', async () => {
    const endpoint = createStatelessEndpoint(protocol(new FakeClock()));
    const surface = new CountedSurface(empty);
    const ask = async (body: unknown): Promise<string> =>
      JSON.stringify(await messagesOf(await endpoint.post(postRequest(), body, callerNamed('alice', surface))));
    expect(await ask(initialize)).toContain('"tools":{}');
    surface.replace(withTool('one'));
    expect(await ask(rpc(1, 'tools/list'))).toContain('"one"');
    surface.replace(withTool('two'));
    expect(await ask(rpc(2, 'tools/list'))).toContain('"two"');
    expect(surface.listeners).toBe(0);
  });
});
