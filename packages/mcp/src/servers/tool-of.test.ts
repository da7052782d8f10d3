import type { UpstreamSnapshot } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { connectServers } from './testing/connect-servers.ts';
import { listed, ScriptedServers, server } from './testing/scripted-servers.ts';

const never = new AbortController().signal;
const known = server({ name: 'memory', tools: [listed('read')] });
const connecting: UpstreamSnapshot = { ...known, lists: null, state: { type: 'connecting', sinceMs: 0, failures: 0 } };

describe('OfferedServers.toolOf()', () => {
  it('waits for a named server that is still connecting', async () => {
    const servers = new ScriptedServers(connecting);
    const { offered } = await connectServers(servers);
    const before = servers.listening;
    const found = offered.toolOf('memory', 'read', never);
    await expect.poll(() => servers.listening).toBe(before + 1);
    servers.change(known);
    expect(await found).toMatchObject({ name: expect.stringContaining('read') });
    expect(servers.listening).toBe(before);
  });

  it('says why a server has no list of its tools, after the time that it has to connect', async () => {
    const { offered, clock } = await connectServers(new ScriptedServers(connecting));
    const sleeping = clock.sleeping;
    const found = offered.toolOf('memory', 'read', never);
    await expect.poll(() => clock.sleeping).toBe(sleeping + 1);
    await clock.advance(30_000);
    expect(await found).toEqual({ unavailable: 'The server memory has not listed its tools.' });
    const failed: UpstreamSnapshot = {
      ...connecting,
      state: { type: 'failed', failure: { kind: 'ended', detail: 'It is gone.' }, failures: 1, retryAtMs: 0 },
    };
    const { offered: others } = await connectServers(new ScriptedServers(failed));
    expect(await others.toolOf('memory', 'read', never)).toEqual({
      unavailable: 'The server memory has not listed its tools. It is gone.',
    });
  });

  it('waits for no server that is not offered', async () => {
    const { offered } = await connectServers(new ScriptedServers(connecting), { choice: { names: ['other'] } });
    expect(await offered.toolOf('memory', 'read', never)).toBeNull();
  });
});
