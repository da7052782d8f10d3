import { describe, expect, it } from 'vitest';
import { connectServers } from './testing/connect-servers.ts';
import { answered, ScriptedServers, server } from './testing/scripted-servers.ts';

const prompts = [
  {
    name: 'team member',
    title: null,
    description: '',
    arguments: ['department', 'name'].map((name) => ({ name, description: '', isRequired: true })),
  },
];
const template = (uri: string) => ({ uri, isTemplate: true, name: 't', title: null, description: '', mediaType: null });

const every = (...uris: readonly string[]): ScriptedServers =>
  new ScriptedServers(server({ name: 'every', prompts, resources: uris.map(template) }));

const suggest = (values: unknown, more: object = {}) => answered({ completion: { values, ...more } });

async function connectEvery(servers: ScriptedServers) {
  const connected = await connectServers(servers);
  const [prompt] = (await connected.client.listPrompts()).prompts;
  const complete = (argument: string, value: string, given?: Readonly<Record<string, string>>) =>
    connected.client.complete({
      ref: { type: 'ref/prompt', name: prompt?.name ?? '' },
      argument: { name: argument, value },
      ...(given !== undefined && { context: { arguments: given } }),
    });
  return { ...connected, complete };
}

describe('arguments of prompts of other servers', () => {
  it('are completed by the server that owns the prompt, which hears of those that have their values', async () => {
    const servers = every();
    servers.answer = () => suggest(['Engineering', 'Energy'], { total: 7, hasMore: true });
    const { complete, clock } = await connectEvery(servers);
    expect(await complete('name', 'En', { department: 'Sales' })).toEqual({
      completion: { values: ['Engineering', 'Energy'], total: 7, hasMore: true },
    });
    expect(servers.requests).toEqual([
      {
        server: 'every',
        asks: {
          type: 'completion',
          of: 'prompt',
          name: 'team member',
          argument: 'name',
          value: 'En',
          given: { department: 'Sales' },
        },
        deadlineAtMs: clock.now() + 5_000,
        questions: null,
      },
    ]);
    await expect(complete('toString', '')).rejects.toThrow('Unknown argument');
    expect(servers.requests).toHaveLength(1);
  });

  it.each([
    ['an error', { type: 'error', message: 'no' } as const],
    ['no connection', { type: 'unavailable', detail: 'Login required.', wasSent: false } as const],
    ['silence', { type: 'timed-out', wasSent: true } as const],
    ['no completion', answered({})],
    ['values that are not a list', suggest('Engineering')],
    ['nothing', answered({ completion: null })],
  ])('(HUB-44) have no suggestions after %s, and a person goes on typing', async (_, reply) => {
    const servers = every();
    servers.answer = () => reply;
    const { complete, log } = await connectEvery(servers);
    expect(await complete('name', '')).toEqual({ completion: { values: [], hasMore: false } });
    expect(log).toEqual([]);
  });

  it('(HUB-44) are at most 100, of a bounded size, each once, and each is what it looks like', async () => {
    const servers = every();
    const { complete } = await connectEvery(servers);
    const odd = ['a', 'a', 7, null, 'x\u202ey', '\u001b[2J', 'half\ud800', 'two\nlines', 'x'.repeat(1_001), 'b c', 'ä'];
    servers.answer = () => suggest(odd, { total: -1, hasMore: 'yes' });
    expect(await complete('name', '')).toEqual({ completion: { values: ['a', 'b c', 'ä'], hasMore: false } });

    servers.answer = () => suggest(Array.from({ length: 1_000_000 }, (_, n) => `value${n}`));
    const many = (await complete('name', '')).completion;
    expect([many.values.length, many.values.at(-1), many.hasMore]).toEqual([100, 'value99', true]);

    servers.answer = () => suggest(Array.from({ length: 100 }, (_, n) => `${n}`.repeat(500).slice(0, 999)));
    const long = (await complete('name', '')).completion;
    expect(long.values.join('').length).toBeLessThanOrEqual(20_000);
    expect(long.hasMore).toBe(true);
  });

  it('are not asked for any more when the client takes the request back', async () => {
    const servers = every();
    const { client, complete } = await connectEvery(servers);
    const aborted = new Promise<void>((resolve) => {
      servers.answer = async (_, signal) => {
        await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
        resolve();
        return { type: 'cancelled', wasSent: true };
      };
    });
    const asked = complete('name', '');
    const refused = expect(asked).rejects.toThrow();
    await expect.poll(() => servers.requests).toHaveLength(1);
    await client.close();
    await aborted;
    await refused;
  });
});

describe('variables of resource templates of other servers', () => {
  it('are completed by the server, under its own address', async () => {
    const servers = every('demo://{kind}/{+path}{?page,size*}', 'demo://plain/{id:3}');
    servers.answer = () => suggest(['one']);
    const { client } = await connectServers(servers);
    const { resourceTemplates } = await client.listResourceTemplates();
    const complete = (uri: string, name: string) =>
      client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value: 'o' } });
    for (const name of ['kind', 'path', 'page', 'size']) {
      expect(await complete(resourceTemplates[0]?.uriTemplate ?? '', name)).toMatchObject({
        completion: { values: ['one'] },
      });
    }
    await complete(resourceTemplates[1]?.uriTemplate ?? '', 'id');
    expect(servers.requests.map(({ asks }) => asks)).toMatchObject([
      { of: 'template', name: 'demo://{kind}/{+path}{?page,size*}', argument: 'kind' },
      { argument: 'path' },
      { argument: 'page' },
      { argument: 'size' },
      { name: 'demo://plain/{id:3}', argument: 'id' },
    ]);
  });

  it('(HUB-44) are empty for an odd pattern, and for a server that is not chosen', async () => {
    const odd = [
      '{',
      '}',
      '{{a}}',
      '{}',
      '{__proto__}',
      '{a b}',
      '{,}',
      `{${'x'.repeat(200)}}`,
      `{a${'{'.repeat(900)}`,
    ];
    const servers = every(...odd.map((pattern) => `demo://${pattern.replaceAll(' ', '%20')}`));
    const { client } = await connectServers(servers);
    for (const { uriTemplate } of (await client.listResourceTemplates()).resourceTemplates) {
      for (const name of ['__proto__', 'constructor', '', 'a b', '{a']) {
        const asked = client.complete({
          ref: { type: 'ref/resource', uri: uriTemplate },
          argument: { name, value: '' },
        });
        await expect(asked).rejects.toThrow('Unknown variable');
      }
    }
    expect(servers.requests).toEqual([]);
    const other = await connectServers(every('demo://{id}'), { choice: { names: ['every__t'] } });
    const uri = 'gemini://servers/every/demo://{id}';
    await expect(
      other.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: '' } }),
    ).rejects.toThrow('Unknown resource template');
  });
});
