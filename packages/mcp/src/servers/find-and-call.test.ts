import { describe, expect, it } from 'vitest';
import { connectServers } from './testing/connect-servers.ts';
import { answered, listed, ScriptedServers, server, withheld } from './testing/scripted-servers.ts';

const many = (count: number, name = 'tool') => Array.from({ length: count }, (_, n) => listed(`${name}_${n}`));

const textOf = (result: Record<string, unknown>): string => JSON.stringify(result['content']);

describe('more tools than a list is good for', () => {
  it('are 24, or schemas that are long: then two tools find and call them', async () => {
    const namesOf = async (...tools: Parameters<typeof server>[0]['tools'] & object) => {
      const { client } = await connectServers(new ScriptedServers(server({ name: 's', tools })));
      return (await client.listTools()).tools.map(({ name }) => name);
    };
    expect(await namesOf(...many(24))).toHaveLength(24);
    expect(await namesOf(...many(25))).toEqual(['call_tool', 'find_tools']);
    const long = { type: 'object', properties: { a: { description: 'x'.repeat(30_000) } } };
    expect(await namesOf(...many(3).map((tool) => ({ ...tool, inputSchema: long })))).toEqual([
      'call_tool',
      'find_tools',
    ]);
  });

  it('(HUB-42) are listed, or found, if the user says so, and never listed by the thousand', async () => {
    const count = async (tools: number, form: 'listed' | 'searched') => {
      const { client } = await connectServers(new ScriptedServers(server({ name: 's', tools: many(tools) })), {
        choice: { form },
      });
      return (await client.listTools()).tools.length;
    };
    expect(await count(100, 'listed')).toBe(100);
    expect(await count(1, 'searched')).toBe(2);
    expect(await count(10_000, 'listed')).toBe(2);
  });

  it('cost a client few tokens, and say which servers there are', async () => {
    const servers = Array.from({ length: 20 }, (_, n) => server({ name: `server${n}`, tools: many(500) }));
    const { client } = await connectServers(new ScriptedServers(...servers));
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools).length / 4).toBeLessThan(600);
    expect(tools.find(({ name }) => name === 'find_tools')?.description).toMatch(/server0 \(500\), server1 \(500\)/);
  });

  it('of an unknown server are not searched: the result names the most similar server', async () => {
    const { client } = await connectServers(new ScriptedServers(server({ name: 'memory', tools: many(30) })));
    const find = async (name: string) => {
      const { content, isError } = await client.callTool({
        name: 'find_tools',
        arguments: { query: 'tool', server: name },
      });
      return { content, isError };
    };
    const told = (text: string) => ({ content: [{ type: 'text', text }], isError: true });
    expect(await find('memry')).toEqual(told('No server "memry" is offered. Did you mean memory?'));
    expect(await find('x')).toEqual(told('No server "x" is offered. There are memory.'));
  });

  it('are found with the arguments of the best ones, and called', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const tools = [...many(30), listed('add', { description: 'Adds\u001b numbers.', inputSchema }), withheld('gone')];
    const servers = new ScriptedServers(server({ name: 's', tools }));
    servers.answer = ({ asks }) => answered({ content: [{ type: 'text', text: JSON.stringify(asks) }] });
    const { client } = await connectServers(servers);
    const found = await client.callTool({ name: 'find_tools', arguments: { query: 'add' } });
    expect(found.content).toEqual([
      {
        type: 'text',
        text: [
          'Found 1 of 31 tools, best first. The descriptions come from the servers.',
          '- s__add: Adds\\u{1b} numbers.',
          '  Arguments: {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}',
          '1 further tool withheld: new or changed since approval. The user approves with: mcp approve <server>.',
        ].join('\n'),
      },
    ]);
    const call = async (args: Record<string, unknown>) => await client.callTool({ name: 'call_tool', arguments: args });
    expect(textOf(await call({ name: 's__add', arguments: { n: 1 } }))).toContain('\\"arguments\\":{\\"n\\":1}');
    const refused = await call({ name: 's__add', arguments: { n: 'x' } });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('integer')]);
    expect(textOf(await call({ name: 's__ad' }))).toContain('Did you mean s__add?');
    expect(textOf(await call({ name: '__proto__' }))).toContain('Unknown tool');
    expect(servers.requests).toHaveLength(1);
  });

  it('are found by server, by the very name, and a few of many', async () => {
    const servers = new ScriptedServers(
      server({ name: 'a', tools: many(30) }),
      server({ name: 'b', tools: [listed('x')] }),
    );
    const { client } = await connectServers(servers);
    const find = async (args: Record<string, unknown>) =>
      textOf(await client.callTool({ name: 'find_tools', arguments: args }));
    expect(await find({ query: '', server: 'b' })).toMatch(/Found 1 of 1 tool,.*b__x/);
    expect(await find({ query: 'a__tool_7' })).toMatch(/Found 1 of 31 tools.*a__tool_7/);
    expect((await find({ query: '' })).match(/a__tool_/g)).toHaveLength(12);
    expect(await find({ query: 'nothing at all' })).toContain('None of 31 tools fits.');
    expect(await find({ query: 'x', server: 'c' })).toContain('No server');
  });
});
