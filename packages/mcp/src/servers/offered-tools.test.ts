import { describe, expect, it } from 'vitest';
import { toolNamed } from '../testing/named-tool.ts';
import { connectServers } from './testing/connect-servers.ts';
import { listed, ScriptedServers, server, withheld } from './testing/scripted-servers.ts';

const object = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});

describe('tools of other servers', () => {
  it('(HUB-46) are listed under names of their servers, with the words and the schema of the server, and with the worst hints', async () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ text: { type: 'string' } }, { required: ['text'] }),
    };
    const echo = listed('echo', { title: 'Echo', inputSchema, annotations: { readOnlyHint: true } });
    const { client } = await connectServers(new ScriptedServers(server({ name: 'every', tools: [echo] })));
    expect((await client.listTools()).tools).toEqual([
      {
        name: 'every__echo',
        title: 'Echo',
        description: 'Of the MCP server "every". Does echo.',
        inputSchema: object({ text: { type: 'string' } }, { required: ['text'] }),
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      },
    ]);
  });

  it('have the hints of a server that the user trusts, as far as they are hints', async () => {
    const tool = listed('t', { annotations: { readOnlyHint: true, destructiveHint: 'no', openWorldHint: false } });
    const { client } = await connectServers(new ScriptedServers(server({ name: 's', isTrusted: true, tools: [tool] })));
    expect((await client.listTools()).tools[0]?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
  });

  it('are called by the names and with the arguments that the server knows', async () => {
    const filter = listed('search', { inputSchema: object({ 'filter[name]': { type: 'string' } }) });
    const servers = new ScriptedServers(server({ name: 'a b', tools: [filter] }));
    const { client } = await connectServers(servers);
    const [tool] = (await client.listTools()).tools;
    const [argument = ''] = Object.keys(tool?.inputSchema.properties ?? {});
    expect(argument).toMatch(/^filter_name__\w+$/);
    await client.callTool({ name: tool?.name ?? '', arguments: { [argument]: 'x' } });
    expect(servers.requests.map(({ server: name, asks }) => ({ name, asks }))).toEqual([
      { name: 'a b', asks: { type: 'tool', tool: 'search', arguments: { 'filter[name]': 'x' } } },
    ]);
  });

  it('are not called with arguments that their schema refuses', async () => {
    const tool = listed('t', { inputSchema: object({ n: { type: 'integer' } }, { required: ['n'] }) });
    const servers = new ScriptedServers(server({ name: 's', tools: [tool] }));
    const { client } = await connectServers(servers);
    const result = await client.callTool({ name: 's__t', arguments: { n: 'x' } });
    expect(result.isError).toBe(true);
    expect(servers.requests).toEqual([]);
  });

  it('(HUB-40) whose schema has a pattern are listed with it in words: it is applied by no one but the server', async () => {
    const a = { type: 'string', description: 'Name.', pattern: '^(a+)+$' };
    const inputSchema = object({ a, pattern: { type: 'string', pattern: '(' } });
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t', { inputSchema })] }));
    const { client } = await connectServers(servers);
    expect((await client.listTools()).tools[0]?.inputSchema.properties).toEqual({
      a: { type: 'string', description: 'Name. Pattern: ^(a+)+$' },
      pattern: { type: 'string', description: expect.stringContaining('(') },
    });
    await client.callTool({ name: 's__t', arguments: { a: `${'a'.repeat(50)}!` } });
    expect(servers.requests).toHaveLength(1);
  });

  it('are not called with arguments that are nested without end', async () => {
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    const { client } = await connectServers(servers);
    const deep: Record<string, unknown> = JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`);
    expect(await client.callTool({ name: 's__t', arguments: deep })).toMatchObject({ isError: true });
    expect(servers.requests).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['has alternatives at its top', { type: 'object', anyOf: [object({ a: { type: 'string' } }), object({ b: {} })] }],
    ['has a tuple of an older dialect', object({ a: { type: 'array', items: [{ type: 'string' }] } })],
    ['has bounds of an older dialect', object({ a: { type: 'number', minimum: 1, exclusiveMinimum: true } })],
    ['goes in a circle', object({ a: { $ref: '#' } })],
    ['leads out of itself', object({ a: { $ref: 'http://169.254.169.254/x' } })],
    ['has no type', { properties: { a: { type: 'string' } } }],
    ['has an odd name', object({ 'a b': { type: 'string' } })],
    ['has an unknown type', object({ a: { type: 'int' } })],
  ])('whose schema %s are listed with one that every API takes', async (_, inputSchema) => {
    const { client } = await connectServers(
      new ScriptedServers(server({ name: 's', tools: [listed('t', { inputSchema })] })),
    );
    const [tool] = (await client.listTools()).tools;
    expect(tool?.inputSchema.type).toBe('object');
    expect(Object.keys(tool?.inputSchema ?? {})).not.toContain('anyOf');
    expect(JSON.stringify(tool?.inputSchema)).not.toMatch(
      /\$ref":"(?!#\/\$defs\/)|169\.254|"int"|a b"|exclusiveMinimum":true|"items":\[/,
    );
    expect((await client.callTool({ name: 's__t', arguments: {} })).isError).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['is nested 10,000 levels deep', JSON.parse(`${'{"properties":{"a":'.repeat(10_000)}{}${'}}'.repeat(10_000)}`)],
    ['has a million characters', object({ a: { description: 'x'.repeat(1_000_000) } })],
    ['is that of a list', { type: 'array' }],
  ])('whose schema %s are left out, and spoil nothing', async (_, inputSchema) => {
    const tools = [listed('bad', { inputSchema }), listed('good')];
    const { client } = await connectServers(new ScriptedServers(server({ name: 's', tools })), {
      choice: { form: 'listed' },
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['s__good']);
  });

  it('have no words that act or hide, in the schema too, and none that a client cuts', async () => {
    const inputSchema = object({ a: { type: 'string', description: 'a\u202eb\u001b[2J' } });
    const tool = listed('t', { title: 'x\u001b', description: `\u{e0041}${'y'.repeat(9_000)}`, inputSchema });
    const { client } = await connectServers(new ScriptedServers(server({ name: 's', tools: [tool] })));
    const [shown] = (await client.listTools()).tools;
    expect(JSON.stringify(shown)).not.toMatch(/\\u001b|\u202e|\u{e0041}/u);
    expect(shown?.inputSchema.properties).toEqual({ a: { type: 'string', description: 'a\\u{202e}b\\u{1b}[2J' } });
    expect(shown?.description?.length).toBeLessThan(4_096);
  });

  it('that are withheld are not listed, and a call of one is answered by why', async () => {
    const servers = new ScriptedServers(server({ name: 's', tools: [withheld('t'), listed('u')] }));
    servers.answer = () => ({ type: 'kept-back', detail: 'This tool is withheld.' });
    const { client } = await connectServers(servers);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['s__u']);
    expect(await client.callTool({ name: 's__t' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'The server s does not offer this. This tool is withheld.' }],
    });
  });

  it('(HUB-41) never take the place of ours', async () => {
    const base = { tools: [toolNamed('s__t'), toolNamed('find_tools')] };
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    const { client } = await connectServers(servers, { base, choice: { form: 'searched' } });
    expect(await client.callTool({ name: 's__t' })).toEqual({ content: [{ type: 'text', text: 's__t' }] });
    expect((await client.listTools()).tools.map(({ name, title }) => [name, title])).toEqual([
      ['call_tool', 'Call a tool of another server'],
      ['find_tools', 'find_tools'],
      ['s__t', 's__t'],
    ]);
  });

  it('of two servers that list the same names stay apart; the first counts of one that lists a name twice', async () => {
    const first = listed('t', { description: 'First.' });
    const servers = new ScriptedServers(
      server({ name: 'a', tools: [first, listed('t', { description: 'Second.' })] }),
      server({ name: 'b', tools: [listed('t')] }),
    );
    const { client } = await connectServers(servers);
    expect((await client.listTools()).tools.map(({ name, description }) => [name, description])).toEqual([
      ['a__t', 'Of the MCP server "a". First.'],
      ['b__t', 'Of the MCP server "b". Does t.'],
    ]);
    await client.callTool({ name: 'b__t' });
    expect(servers.requests.map((request) => request.server)).toEqual(['b']);
  });

  it('are those that were chosen, by server or by tool', async () => {
    const servers = new ScriptedServers(
      server({ name: 'a', tools: [listed('t'), listed('u')] }),
      server({ name: 'b', tools: [listed('t'), listed('u')] }),
      server({ name: 'c', tools: [listed('t')] }),
    );
    const { client } = await connectServers(servers, { choice: { names: ['a', 'b__u'] } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a__t', 'a__u', 'b__u']);
  });
});

describe('tools of other servers for a client that may change nothing', () => {
  it('are those of which a trusted server says so', async () => {
    const tools = [listed('reads', { annotations: { readOnlyHint: true } }), listed('writes')];
    const servers = new ScriptedServers(server({ name: 'a', tools, isTrusted: true }), server({ name: 'b', tools }));
    const { client } = await connectServers(servers, { choice: { readOnly: true } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a__reads']);
  });
});
