import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('both eras on one pipe of the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
    server = setup.spawn();
  });

  afterEach(() => setup.dispose());

  it('each request is answered in its own era, before and after initialize', async () => {
    const early = server.request('tools/list', { _meta: meta });
    const opened = server.initialize();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => server.request('tools/list', index % 2 === 0 ? { _meta: meta } : {})),
    );
    expect((await early).result).toMatchObject({ resultType: 'complete' });
    expect((await opened).result).toMatchObject({ protocolVersion: '2025-11-25' });
    const types = answers.map(({ result }) => result?.['resultType']);
    expect(types).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'complete' : undefined)));
  });

  it.each([
    ['without capabilities', { ...meta, 'io.modelcontextprotocol/clientCapabilities': undefined }, -32602],
    ['of a revision that is not served', { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }, -32022],
    ['with a number as revision', { ...meta, 'io.modelcontextprotocol/protocolVersion': 7 }, -32602],
  ])('a request %s is refused, and a legacy client goes on', async (_, forged, code) => {
    await server.initialize();
    for (const method of ['server/discover', 'tools/list', 'tools/call', 'initialize']) {
      const { error } = await server.request(method, { name: 'gemini_context', _meta: forged });
      expect([method, error?.code]).toEqual([method, code]);
    }
    expect((await server.request('ping')).result).toEqual({});
  });

  it('a prototype makes no request modern', async () => {
    await server.initialize();
    server.write(
      `{"jsonrpc":"2.0","id":"proto","method":"tools/list","params":{"_meta":{"__proto__":${JSON.stringify(meta)}}}}\n`,
    );
    await server.until(() => server.messages.some(({ id }) => id === 'proto'));
    const { result } = server.messages.find(({ id }) => id === 'proto') ?? {};
    expect(result).not.toHaveProperty('resultType');
  });
});
