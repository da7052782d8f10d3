import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, readInvocations, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRpcMessage, ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const long = 'x'.repeat(1_000_000);

const refused: readonly (readonly [method: string, params: unknown])[] = [
  ['tools/call', {}],
  ['tools/call', null],
  ['tools/call', []],
  ['tools/call', { name: 5 }],
  ['tools/call', { name: 'geminiChat', arguments: [] }],
  ['tools/call', { name: 'geminiChat', arguments: null }],
  ['tools/call', { name: 'geminiChat', arguments: 'prompt' }],
  ['tools/call', { name: 'geminiChat', arguments: { prompt: 'Hi' }, _meta: 5 }],
  ['tools/call', { name: 'geminiChat', arguments: { prompt: 'Hi' }, _meta: { progressToken: {} } }],
  ['tools/call', { name: 'geminiChat', arguments: { prompt: 'Hi' }, task: { ttl: 1 } }],
  ['tools/list', { cursor: long }],
  ['resources/list', { cursor: 'x' }],
  ['resources/read', {}],
  ['resources/read', { uri: ['gemini://sessions'] }],
  ['resources/subscribe', { uri: 'gemini://sessions' }],
  ['prompts/get', { name: '__proto__' }],
  ['prompts/get', { name: 'review', arguments: { target: 5 } }],
  ['prompts/get', { name: 'review', arguments: { target: long } }],
  ['completion/complete', {}],
  ['completion/complete', { ref: { type: 'ref/resource', uri: long }, argument: { name: 'id', value: '' } }],
  ['initialize', { protocolVersion: 5 }],
  ['__proto__', {}],
  ['constructor', {}],
  ['', {}],
];

describe('hostile messages, the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer('fine'));
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  it.each(refused.map(([method, params]) => ({ method, params })))(
    'SECRET-08, STDIO-06: a wrong request is answered with an error that reveals nothing of this machine (%#)',
    async ({ method, params }) => {
      const id = `wrong ${refused.findIndex((one) => one[0] === method && one[1] === params)}`;
      server.send({ id, method, params });
      await server.until(() => server.messages.some((message) => message.id === id));
      const { error, result } = server.messages.find((message) => message.id === id) ?? {};
      expect(result).toBeUndefined();
      expect([-32_600, -32_601, -32_602, -32_603]).toContain(error?.code);
      expect(error?.message.length).toBeLessThan(2_000);
      expect(error?.message).not.toMatch(/\n\s+at |node:internal|\/home\/|\.cjs/);
      expect(await readInvocations(setup.cliDirectory)).toEqual([]);
    },
  );

  it('completes no path out of the allowed directories', async () => {
    await writeFile(join(setup.project, 'inside.txt'), 'x');
    const complete = (value: string): Promise<JsonRpcMessage> =>
      server.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'target', value },
      });
    const outside = ['/', '/etc/', '/proc/self/', '../', '../../', '~/', setup.root, `${setup.root}/`];
    const answers = await Promise.all(outside.map(complete));
    expect(JSON.stringify(answers)).not.toMatch(/passwd|hosts|state|environ/);
    expect(JSON.stringify((await complete('ins')).result)).toContain('inside.txt');
  });

  it('a flood of text becomes no flood of notifications', async () => {
    const pattern = `${JSON.stringify({ type: 'message', role: 'assistant', content: 'a piece ', delta: true })}\n`;
    const flood = { do: 'flood', to: 'stdout', bytes: 20_000 * pattern.length, pattern } as const;
    await setup.playCli([...cliOpening(), flood, { do: 'result', status: 'success' }]);
    const before = server.messages.length;
    const params = { name: 'geminiChat', arguments: { prompt: 'Hi' }, _meta: { progressToken: 'flood' } };
    expect((await server.request('tools/call', params)).result).toBeDefined();
    expect(await whenInvoked(setup.cliDirectory, 1)).toHaveLength(1);
    const told = server.messages.slice(before).filter(({ method }) => method === 'notifications/progress');
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(200);
    expect(Math.max(...told.map((message) => JSON.stringify(message).length))).toBeLessThan(5_000);
  });
});
