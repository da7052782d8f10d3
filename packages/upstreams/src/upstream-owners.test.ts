import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { UpstreamServers } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { processesWith } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialServer } from './testing/credential-server.ts';
import { callServer, toolRequest, UpstreamsPlace } from './testing/upstreams-place.ts';

const never = new AbortController().signal;
let place: UpstreamsPlace;

beforeEach(async () => {
  place = new UpstreamsPlace();
  await place.open();
});

afterEach(() => place.close());

/** Sends the owner's credential, and nothing else of anybody. */
function fetchOf(owner: string | null): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer of ${owner}`);
    return fetch(input, { ...init, headers });
  };
}

describe('Calls of two owners', () => {
  it('10,000, with equal ids: none crosses, and none carries the credential of the other', {
    timeout: 120_000,
  }, async () => {
    const server = new CredentialServer();
    const url = await server.listen();
    place.configure({ pipe: place.odd('none'), http: { httpUrl: url } });
    const upstreams = place.upstreams({
      reach: async ({ entry, owner }) => {
        const reach = await place.reach(entry);
        return reach.isKnown ? { ...reach, fetch: fetchOf(owner) } : reach;
      },
    });
    const wrong: unknown[] = [];
    const ask = async (
      owner: string,
      servers: UpstreamServers,
      count: { readonly pipe: number; readonly http: number },
    ) => {
      for (const [name, calls] of Object.entries(count)) {
        for (let done = 0; done < calls; done += 50) {
          const asked = Array.from({ length: 50 }, (_, index) => ({ owner, call: `${owner} ${done + index}` }));
          const texts = await Promise.all(asked.map((one) => callServer(servers, toolRequest(name, 'echo', one))));
          const expected = asked.map((one) =>
            JSON.stringify(name === 'http' ? { ...one, authorization: `Bearer of ${owner}` } : one),
          );
          wrong.push(...texts.filter((text, index) => text !== expected[index]));
        }
      }
    };
    const counts = { pipe: 4_500, http: 500 };
    await Promise.all(['ada', 'bob'].map((owner) => ask(owner, upstreams.of(owner), counts)));
    expect(wrong).toEqual([]);
    expect(server.calls).toBe(1_000);
    expect(place.processes.started).toBe(2);
    await server.close();
  });
});

describe('Roots', () => {
  it('HUB-60: only servers of the owner get changes; a shared server gets no roots', async () => {
    const all = 'lists all that it can';
    place.configure({ own: place.odd(all, 'own'), shared: place.odd(all, 'shared', { shared: true }) });
    const upstreams = place.upstreams({
      roots: (owner) => (owner === 'eve' ? null : async () => [`file:///of/${owner}`]),
    });
    const told = (owner: string, server: string) => callServer(upstreams.of(owner), toolRequest(server, 'roots'));
    expect(await told('ada', 'own')).toBe('{"roots":[{"uri":"file:///of/ada"}]}');
    expect(await told('bob', 'own')).toBe('{"roots":[{"uri":"file:///of/bob"}]}');
    expect(await told('eve', 'own')).toMatch(/"code":-32601/);
    expect(await told('ada', 'shared')).toMatch(/"code":-32601/);
    upstreams.rootsChanged('ada');
    upstreams.rootsChanged('eve');
    upstreams.rootsChanged('unknown');
    for (const owner of ['ada', 'bob', 'eve']) {
      await told(owner, 'own');
    }
    expect((await place.heard('own')).filter((line) => line === 'roots changed')).toHaveLength(1);
    expect(await place.heard('shared')).not.toContain('roots changed');
  });
});

describe('Secrets of the operator', () => {
  const secret = 'token-of-the-operator';

  /** Refuses each request with words that repeat how it was to be let in. */
  async function listenRefusing(): Promise<{ readonly url: string; readonly server: Server }> {
    const server = createServer((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(400).end(`Bad key ${incoming.headers.authorization}, ${secret}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return {
      url: typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/mcp` : '',
      server,
    };
  }

  it('HUB-62: are in nothing that an owner reads of a server that repeats them, over a pipe and over HTTP', async () => {
    const { url, server } = await listenRefusing();
    const ends = "process.stderr.write(process.env.KEY + ' is wrong', () => process.exit(1))";
    place.configure({
      ends: { command: process.execPath, args: ['-e', ends], env: { KEY: secret }, shared: true },
      refuses: { httpUrl: url, headers: { Authorization: `Bearer ${secret}` }, shared: true },
    });
    const upstreams = place.upstreams({
      reach: async ({ entry }) => {
        const reach = await place.reach(entry);
        return reach.isKnown ? { ...reach, secrets: [secret] } : reach;
      },
    });
    const asked = ['ends', 'refuses'].map((name) => upstreams.of('ada').request(toolRequest(name, 'echo'), never));
    const seen = JSON.stringify([await Promise.all(asked), await upstreams.of('bob').list({ waitMs: 0 }, never)]);
    expect(seen).toContain('[redacted] is wrong');
    expect(seen).toContain('Bad key Bearer [redacted], [redacted]');
    expect(seen + place.log.join('')).not.toContain(secret);
    server.close();
  });
});

describe('Servers that are not used', () => {
  it('20 that were idle for ten minutes have no process left, and start again when they are asked', async () => {
    const clock = new FakeClock();
    const names = Array.from({ length: 20 }, (_, index) => `server ${index}`);
    place.configure(Object.fromEntries(names.map((name) => [name, place.odd('none', name)])));
    const servers = place.upstreams({ clock }).of('ada');
    await servers.list({ waitMs: 60_000 }, never);
    expect(place.processes.running).toBe(20);
    await clock.advance(599_000);
    expect(place.processes.running).toBe(20);
    // Each has a file in it among its arguments.
    expect(processesWith(place.directory).length).toBe(20);
    await clock.advance(1_000);
    await expect.poll(() => place.processes.running).toBe(0);
    expect(processesWith(place.directory)).toEqual([]);
    const listed = await servers.list({ waitMs: 60_000 }, never);
    expect(new Set(listed.map(({ state }) => state.type))).toEqual(new Set(['disconnected']));
    expect(place.processes.started).toBe(20);
    expect(await callServer(servers, toolRequest('server 7', 'count'))).toBe('1');
    expect(place.processes.running).toBe(1);
  });
});

describe('Many owners', () => {
  it('start no more programs than may run, and those who come later hear why', async () => {
    place.configure({ s: place.odd('none') });
    const upstreams = place.upstreams({ maxProcesses: 2 });
    const answers = await Promise.all(
      ['ada', 'bob'].map((owner) => callServer(upstreams.of(owner), toolRequest('s', 'count'))),
    );
    expect(answers).toEqual(['1', '1']);
    expect(await callServer(upstreams.of('eve'), toolRequest('s', 'count'))).toMatchObject({
      type: 'unavailable',
      detail: expect.stringContaining('2 other servers are already running, the limit.'),
    });
    await callServer(upstreams.of('ada'), toolRequest('s', 'crash'));
    await expect.poll(() => place.processes.running).toBe(1);
    expect(await callServer(upstreams.of('eve'), toolRequest('s', 'count'))).toBe('1');
  });
});
