import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { toolNamed } from '../testing/named-tool.ts';
import { connectServers } from './testing/connect-servers.ts';
import { answered, listed, ScriptedServers, server } from './testing/scripted-servers.ts';

const prompt = (name: string, args: readonly string[] = []) => ({
  name,
  title: null,
  description: `Says ${name}.`,
  arguments: args.map((each) => ({ name: each, description: `The ${each}`, isRequired: each === 'city' })),
});

const resource = (uri: string, isTemplate = false) => ({
  uri,
  isTemplate,
  name: 'r',
  title: null,
  description: '',
  mediaType: 'text/plain',
});

describe('prompts of other servers', () => {
  it('are prompts of ours, with their arguments and all their messages', async () => {
    const servers = new ScriptedServers(server({ name: 'every', prompts: [prompt('weather now', ['city', 'state'])] }));
    servers.answer = () =>
      answered({
        description: 'D\u001b',
        messages: [
          { role: 'user', content: { type: 'text', text: 'one\u202e' } },
          { role: 'assistant', content: { type: 'resource', resource: { uri: 'demo://x', text: 'two' } } },
          { role: 'system', content: { type: 'video' } },
        ],
      });
    const { client } = await connectServers(servers);
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      {
        name: expect.stringMatching(/^every__weather_now_[0-9a-f]{12}$/),
        title: 'weather now',
        description: 'Of the MCP server "every". Says weather now.',
        arguments: [
          { name: 'city', description: 'The city', required: true },
          { name: 'state', description: 'The state', required: false },
        ],
      },
    ]);
    const name = prompts[0]?.name ?? '';
    expect(await client.getPrompt({ name, arguments: { city: 'Bonn' } })).toEqual({
      description: 'D\\u{1b}',
      messages: [
        { role: 'user', content: { type: 'text', text: 'one\\u{202e}' } },
        {
          role: 'assistant',
          content: {
            type: 'resource',
            resource: { uri: 'gemini://servers/every/demo://x', mimeType: 'text/plain', text: 'two' },
          },
        },
        { role: 'user', content: { type: 'text', text: '[Left out: a part that is not an MCP block.]' } },
      ],
    });
    expect(servers.requests[0]?.asks).toEqual({ type: 'prompt', prompt: 'weather now', arguments: { city: 'Bonn' } });
    await expect(client.getPrompt({ name, arguments: {} })).rejects.toThrow('city');
  });

  it('say why there is no text', async () => {
    const servers = new ScriptedServers(server({ name: 's', prompts: [prompt('p')] }));
    servers.answer = () => ({ type: 'error', message: 'no' });
    const { client, log } = await connectServers(servers);
    await expect(client.getPrompt({ name: 's__p' })).rejects.toThrow('The server s refused:\n| no');
    expect(log).toEqual([]);
  });

  it('(HUB-44) whose arguments no client can give are left out, and a text is bounded', async () => {
    const odd = [prompt('a', ['__proto__']), prompt('b', ['x', 'x']), prompt('c', ['\u202e']), prompt('d')];
    const servers = new ScriptedServers(server({ name: 's', prompts: odd }));
    const message = { role: 'user', content: { type: 'text', text: 'x'.repeat(30_000) } };
    servers.answer = () => answered({ messages: Array.from({ length: 1_000 }, () => message) });
    const { client } = await connectServers(servers);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['s__d']);
    expect(JSON.stringify(await client.getPrompt({ name: 's__d' })).length).toBeLessThan(42_000);
  });
});

describe('resources of other servers', () => {
  it('are resources of ours by a prefix, and templates too', async () => {
    const resources = [resource('demo://static/1'), resource('demo://dynamic/{id}', true), resource('x\u202e')];
    const servers = new ScriptedServers(server({ name: 'ä b', resources }));
    servers.answer = ({ asks }) =>
      answered({
        contents: [
          { uri: asks.type === 'resource' ? asks.uri : '', mimeType: 'text/html', text: 'a\u001b' },
          { uri: 'demo://pdf', blob: Buffer.from('%PDF-1.7').toString('base64'), mimeType: 'text/html' },
          { blob: '%%' },
        ],
      });
    const { client } = await connectServers(servers);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'gemini://servers/%C3%A4%20b/demo://static/1',
    ]);
    const [template] = (await client.listResourceTemplates()).resourceTemplates;
    expect(template?.uriTemplate).toBe('gemini://servers/%C3%A4%20b/demo://dynamic/{id}');
    const uri = template?.uriTemplate.replace('{id}', 'a%20b') ?? '';
    expect(await client.readResource({ uri })).toEqual({
      contents: [
        { uri, mimeType: 'text/plain', text: 'a\\u{1b}' },
        { uri: 'gemini://servers/%C3%A4%20b/demo://pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjc=' },
        { uri, mimeType: 'text/plain', text: '[A part left out: its data is not Base64.]' },
      ],
    });
    expect(servers.requests.map(({ server: name, asks }) => [name, asks])).toEqual([
      ['ä b', { type: 'resource', uri: 'demo://dynamic/a%20b' }],
    ]);
  });

  it('are read of chosen servers alone', async () => {
    const servers = new ScriptedServers(
      server({ name: 'a', resources: [resource('demo://1')] }),
      server({ name: 'b' }),
    );
    const { client } = await connectServers(servers, { choice: { names: ['b', 'a__t'] } });
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: 'gemini://servers/a/demo://1' })).rejects.toThrow('Resource not found');
    await expect(client.readResource({ uri: 'gemini://servers/%/x' })).rejects.toThrow('Resource not found');
    expect(servers.requests).toEqual([]);
  });

  it('(HUB-44) are bounded, whatever a server sends', async () => {
    const servers = new ScriptedServers(
      server({ name: 's', resources: Array.from({ length: 5_000 }, (_, n) => resource(`demo://${n}`)) }),
    );
    const part = { uri: 'demo://1', text: 'x'.repeat(300_000) };
    const large = { uri: 'demo://1', blob: 'A'.repeat(20_000_000) };
    servers.answer = () => answered({ contents: [part, part, large, ...Array.from({ length: 100 }, () => ({}))] });
    const { client } = await connectServers(servers);
    expect((await client.listResources()).resources).toHaveLength(500);
    const { contents } = await client.readResource({ uri: 'gemini://servers/s/demo://1' });
    expect(JSON.stringify(contents).length).toBeLessThan(410_000);
    expect(contents.at(-1)).toMatchObject({ text: '[53 more parts left out.]' });
  });
});

describe('a change of the servers', () => {
  it('(HUB-43) is told once for a thousand, of the lists alone that are others, and to the client of these servers', async () => {
    const [ofAda, ofBob] = [new ScriptedServers(server({ name: 's' })), new ScriptedServers(server({ name: 's' }))];
    const [ada, bob] = [await connectServers(ofAda), await connectServers(ofBob)];
    for (const { client } of [ada, bob]) {
      await client.listTools();
      await client.listPrompts();
      await client.listResources();
    }
    for (let n = 0; n <= 1_000; n += 1) {
      ofAda.change(server({ name: 's', tools: [listed(`t${n}`)] }));
    }
    await ada.clock.advance(200);
    await ada.noticed(1);
    expect((await ada.client.listTools()).tools.map(({ name }) => name)).toEqual(['s__t1000']);
    expect(ada.notices).toEqual(['tools']);
    expect(bob.notices).toEqual([]);
    ofAda.tell();
    ofBob.change(server({ name: 's', prompts: [prompt('p')], resources: [resource('demo://1')] }));
    await ada.clock.advance(200);
    await bob.clock.advance(200);
    await bob.noticed(2);
    expect(ada.notices).toEqual(['tools']);
    expect(bob.notices).toEqual(['prompts', 'resources']);
  });

  it('is not sent when the lists were read again and are the same', async () => {
    const make = () =>
      server({ name: 's', tools: [listed('t')], prompts: [prompt('p')], resources: [resource('demo://1')] });
    const servers = new ScriptedServers(make());
    const { client, clock, notices } = await connectServers(servers, { base: { tools: [toolNamed('ours')] } });
    await client.listTools();
    await client.listPrompts();
    await client.listResources();
    servers.change(make());
    await clock.advance(200);
    await client.listTools();
    expect(notices).toEqual([]);
  });

  it('is no news to a client that is offered none: they are not even listed', async () => {
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    servers.list = () => Promise.reject(new Error('Not to be asked'));
    const { client } = await connectServers(servers, { choice: { names: [] }, base: { tools: [toolNamed('ours')] } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ours']);
    expect(servers.listening).toBe(0);
  });

  it('is listened to as long as a client is there', async () => {
    const servers = new ScriptedServers();
    const { client } = await connectServers(servers);
    expect(servers.listening).toBe(1);
    await client.close();
    expect(servers.listening).toBe(0);
  });
});

describe('a call', () => {
  it('passes progress on with the name of the server in front, and a cancel', async () => {
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    const told: (string | undefined)[] = [];
    const aborted = new Promise<void>((resolve) => {
      servers.answer = async ({ onProgress }, signal) => {
        onProgress?.({ progress: 1, total: 3, message: 'step\u001b' });
        await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
        resolve();
        return { type: 'cancelled', wasSent: true };
      };
    });
    const { client } = await connectServers(servers);
    const cancel = new AbortController();
    const call = client.callTool({ name: 's__t' }, undefined, {
      signal: cancel.signal,
      onprogress: ({ message }) => {
        told.push(message);
        cancel.abort();
      },
    });
    await expect(call).rejects.toThrow();
    await aborted;
    expect(told).toEqual(['s: step\\u{1b} (1 of 3)']);
  });

  it('has an hour at most', async () => {
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    const { client } = await connectServers(servers);
    await client.callTool({ name: 's__t' });
    expect(servers.requests[0]?.deadlineAtMs).toBe(new FakeClock().now() + 3_600_000);
  });
});
