import { viewServers } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { createServersPage } from './offered-servers.ts';
import { listed, server } from './testing/scripted-servers.ts';

const context = { owner: 'ada', clientName: null, signal: new AbortController().signal };

function page(servers: Parameters<typeof viewServers>[0]['servers'], leftOut: readonly string[] = []) {
  const view = viewServers({ servers, off: [], problems: [], ownNames: [], sha256: () => '0', nowMs: 0 });
  return createServersPage({ readView: async () => view, readLeftOut: async () => leftOut });
}

describe('the page on other servers', () => {
  it('shows their states, and which tools are not offered', async () => {
    const provider = page(
      [server({ name: 's', tools: [listed('t')] })],
      ['s__u: The schema of its arguments is too large.'],
    );
    expect((await provider.list(context)).map(({ uri }) => uri)).toEqual(['gemini://servers']);
    const found = await provider.read('gemini://servers', context);
    expect(found).toMatchObject({ mimeType: 'text/plain' });
    const text = found !== null && 'text' in found ? found.text : '';
    expect(text).toMatch(/^s: connected \(stdio\)\n {2}1 tool:\n {4}t\(\) {2}Does t\.\n/);
    expect(text).toMatch(/\nNot offered to clients:\n {2}s__u: The schema of its arguments is too large\.\n$/);
  });

  it('is not listed if there are no servers, and says so', async () => {
    const provider = page([]);
    expect(await provider.list(context)).toEqual([]);
    expect(await provider.read('gemini://servers', context)).toMatchObject({
      text: 'No other servers are configured.\n',
    });
    expect(await provider.read('gemini://servers/x', context)).toBeNull();
  });

  it('does not say that there are no servers while that is unknown', async () => {
    const view = { servers: [], problems: ['They could not be loaded.'] };
    const provider = createServersPage({ readView: async () => view, readLeftOut: async () => [] });
    expect(await provider.read('gemini://servers', context)).toMatchObject({
      text: 'Settings: They could not be loaded.\n',
    });
  });
});
