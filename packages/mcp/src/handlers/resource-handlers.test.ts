import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createCanaryShelves } from '../testing/canary-shelves.ts';
import { connect, refusalOf } from '../testing/connect-surface.ts';

describe('resources', () => {
  it('are listed and read by their owner', async () => {
    const { providers, id, handle } = await createCanaryShelves();
    const { client } = await connect({ resources: providers });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`gemini://sessions/${id}`);
    expect((await client.listResourceTemplates()).resourceTemplates).toContainEqual({
      uriTemplate: 'gemini://answers/{handle}',
      name: 'answer',
      title: 'Long answer of Gemini',
      description: expect.any(String),
      mimeType: 'text/markdown',
    });
    const uri = `gemini://answers/${handle}`;
    expect(await client.readResource({ uri })).toEqual({
      contents: [{ uri, mimeType: 'text/markdown', text: 'CANARY' }],
    });
  });

  it('of another owner are neither listed nor read nor suggested, and told apart from none in no way', async () => {
    const { providers, id, handle } = await createCanaryShelves();
    const { client, request } = await connect({ resources: providers }, 'mallory');
    const seen: unknown[] = [await client.listResources()];
    for (const uri of ['gemini://sessions', 'gemini://answers']) {
      seen.push(await client.readResource({ uri }));
    }
    for (const [uriTemplate, name] of [
      ['gemini://sessions/{id}', 'id'],
      ['gemini://answers/{handle}', 'handle'],
    ] as const) {
      seen.push(
        await client.complete({ ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name, value: '' } }),
      );
    }
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`CANARY|${id}|${handle}`));
    const stranger = await refusalOf(request('resources/read', { uri: `gemini://sessions/${id}` }));
    const nobody = await refusalOf(request('resources/read', { uri: `gemini://sessions/${id.replace('0f8', '0f9')}` }));
    expect(stranger.message.replace('0f8', '0f9')).toBe(nobody.message);
    expect(stranger.code).toBe(-32002);
  });

  it.each([
    'gemini://sessions/../../x',
    'gemini://sessions/..%2f..%2fx',
    'file:///etc/passwd',
    'gemini://sessions/\u0000',
    '\u001b]0;title\u0007',
    '__proto__',
    '',
  ])('%j is not found', async (uri) => {
    const { providers } = await createCanaryShelves();
    const { request, log } = await connect({ resources: providers });
    const { code, message } = await refusalOf(request('resources/read', { uri }));
    expect(code).toBe(-32002);
    expect(message).toMatch(/^MCP error -32002: Resource not found: "/);
    expect(log).toEqual([]);
  });

  it.each([
    [{}, /uri must be a string/],
    [{ uri: 5 }, /uri must be a string/],
    [{ uri: ['gemini://manual'] }, /uri must be a string/],
    [{ uri: `gemini://sessions/${'x'.repeat(1_000_000)}` }, /has 1000018 characters; at most 1000 are accepted/],
  ])('are not read with the parameters of case %#', async (params, expected) => {
    const { providers } = await createCanaryShelves();
    const { request } = await connect({ resources: providers });
    const { code, message } = await refusalOf(request('resources/read', params));
    expect(code).toBe(-32602);
    expect(message).toMatch(expected);
  });

  it('conceal a fault', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error(`EACCES ${homedir()}`));
    const { request, log } = await connect({ resources: [{ templates: [], list: fail, read: fail }] });
    for (const answer of [request('resources/list'), request('resources/read', { uri: 'gemini://x' })]) {
      const { code, message } = await refusalOf(answer);
      expect(code).toBe(-32603);
      expect(message).not.toContain(homedir());
    }
    expect(log.map(({ event }) => event)).toEqual(['resource-threw', 'resource-threw']);
  });
});
