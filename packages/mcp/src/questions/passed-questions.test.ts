import type { ServerAnswer, ServerQuestion } from '@gemini-mcp/core/internal';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { connectServers } from '../servers/testing/connect-servers.ts';
import { answered, listed, ScriptedServers, server } from '../servers/testing/scripted-servers.ts';

const form = (properties: object, required: readonly string[] = []): ServerQuestion => ({
  type: 'form',
  server: 's',
  message: 'The MCP server "s" asks: Who?',
  schema: { type: 'object', properties, required },
});

/** The answer to a server that asks in the middle of a call, and the question that the user saw. */
async function ask(question: ServerQuestion, answer: ElicitResult | null) {
  const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
  const heard: (ServerAnswer | undefined)[] = [];
  const shown: ElicitRequest['params'][] = [];
  servers.answer = async ({ questions }, signal) => {
    heard.push(await questions?.ask(question, signal));
    return answered({ content: [{ type: 'text', text: 'done' }] });
  };
  const user = (params: ElicitRequest['params']): ElicitResult => {
    shown.push(params);
    return answer ?? { action: 'cancel' };
  };
  const { client } = await connectServers(servers, answer === null ? {} : { user });
  const result = await client.callTool({ name: 's__t' });
  return { heard: heard[0], shown, text: JSON.stringify(result['content']) };
}

describe('a question of a server', () => {
  it('is asked of the user of the call, field by field, and answered under the names of the server', async () => {
    const properties = {
      'user name': { type: 'string', title: 'Name', description: 'Of the user', maxLength: 50 },
      age: { type: 'integer', minimum: 0 },
      sure: { type: 'boolean' },
      colour: { type: 'string', enum: ['#f00', '#0f0'], enumNames: ['red', 'green'] },
      size: { type: 'string', oneOf: [{ const: 's', title: 'small' }] },
      days: { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] } },
      born: { type: 'string', format: 'date' },
      code: { type: 'string', format: 'regex' },
    };
    const { heard, shown } = await ask(form(properties, ['user name', 'colour']), {
      action: 'accept',
      content: { field1: 'Ada', field2: 36, field4: 'choice2', field6_1: true },
    });
    expect(shown[0]?.message).toBe('The MCP server "s" asks: Who?');
    expect(shown[0]).toMatchObject({
      requestedSchema: {
        required: ['field1', 'field4'],
        properties: {
          field1: { type: 'string', title: 'Name: Of the user', maxLength: 50 },
          field2: { type: 'integer', title: 'age', minimum: 0 },
          field4: { enum: ['choice1', 'choice2'], enumNames: ['red', 'green'] },
          field6_2: { type: 'boolean', title: 'days: tu' },
          field7: { type: 'string', format: 'date', title: 'born' },
        },
      },
    });
    expect(shown[0]).not.toMatchObject({ requestedSchema: { properties: { field8: { format: expect.anything() } } } });
    expect(heard).toEqual({ action: 'accept', content: { 'user name': 'Ada', age: 36, colour: '#0f0', days: ['mo'] } });
  });

  it('leaves out what the user left out', async () => {
    const several = { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] } };
    const question = form({ name: { type: 'string' }, days: several, nights: several }, ['nights']);
    const { heard } = await ask(question, { action: 'accept', content: {} });
    expect(heard).toEqual({ action: 'accept', content: { nights: [] } });
  });

  it.each([['decline'], ['cancel']] as const)('is answered by %s if the user does so', async (action) => {
    expect((await ask(form({ a: { type: 'string' } }), { action })).heard).toEqual({ action });
  });

  it('is cancelled if no one can be asked, with a note to the caller', async () => {
    const { heard, text } = await ask(form({ a: { type: 'string' } }), null);
    expect(heard).toEqual({ action: 'cancel' });
    expect(text).toContain('[The server asked you a question. ');
  });

  it.each([
    ['has no fields', {}],
    ['has a field of an unknown form', { a: { type: 'object' } }],
    ['has a choice of nothing', { a: { type: 'string', enum: [] } }],
    ['has a field with more words than are shown', { a: { type: 'boolean', description: 'x'.repeat(600) } }],
    ['has choices that are alike as far as they are shown', { a: { type: 'string', enum: ['x'.repeat(600)] } }],
    ['has too many fields', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, { type: 'string' }]))],
  ])('that %s is cancelled', async (_, properties) => {
    const { heard, shown, text } = await ask(form(properties), { action: 'accept', content: {} });
    expect([heard, shown]).toEqual([{ action: 'cancel' }, []]);
    expect(text).toContain('It asked for something that no client can show.');
  });

  it.each(['form', 'url'] as const)('(%s) that is too long to be shown whole is cancelled', async (type) => {
    const message = `The MCP server "s" asks: ${'x'.repeat(2_000)}`;
    const question: ServerQuestion =
      type === 'url'
        ? { type, server: 's', message, url: 'https://pay.example/1' }
        : { ...form({ a: { type: 'boolean' } }), message };
    const { heard, shown, text } = await ask(question, { action: 'accept', content: {} });
    expect([heard, shown]).toEqual([{ action: 'cancel' }, []]);
    expect(text).toContain('It asked for something that no client can show.');
  });

  it('is shown with all words of its fields', async () => {
    const description = `${'x'.repeat(300)}, which deletes everything`;
    const { shown } = await ask(form({ a: { type: 'boolean', description } }), { action: 'cancel' });
    expect(shown[0]).toMatchObject({ requestedSchema: { properties: { field1: { title: `a: ${description}` } } } });
  });

  it('(HUB-45) for an address shows it, and opens nothing', async () => {
    const question = {
      type: 'url',
      server: 's',
      message: 'The MCP server "s" asks: Pay',
      url: 'https://pay.example/1',
    } as const;
    const { heard, shown } = await ask(question, { action: 'accept', content: { opened: true } });
    expect(shown[0]?.message).toMatch(
      /^The MCP server "s" asks: Pay\n\nOpen this address yourself.*\nhttps:\/\/pay\.example\/1$/s,
    );
    expect(heard).toEqual({ action: 'accept', content: {} });
    const no = await ask(question, { action: 'accept', content: { opened: false } });
    expect(no.heard).toEqual({ action: 'decline' });
    const long = await ask(
      { ...question, url: `https://pay.example/${'x'.repeat(5_000)}` },
      { action: 'accept', content: {} },
    );
    expect([long.heard, long.shown]).toEqual([{ action: 'cancel' }, []]);
  });
});
