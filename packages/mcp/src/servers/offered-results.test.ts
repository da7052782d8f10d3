import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connectServers } from './testing/connect-servers.ts';
import { answered, listed, ScriptedServers, server } from './testing/scripted-servers.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const object = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});

describe('the result of a call', () => {
  const resultOf = async (result: Record<string, unknown>, tool = listed('t')) => {
    const servers = new ScriptedServers(server({ name: 's', tools: [tool] }));
    servers.answer = () => answered(result);
    const connected = await connectServers(servers);
    return { ...connected, result: await connected.client.callTool({ name: 's__t' }) };
  };
  const _meta = { 'gemini-mcp-server/server': { server: 's', tool: 't' } };

  it('(HUB-44) has text, images, resources and links, with addresses that lead to us', async () => {
    const data = png.toString('base64');
    const { result } = await resultOf({
      content: [
        { type: 'text', text: '[1]' },
        { type: 'image', data, mimeType: 'image/jpeg' },
        { type: 'resource', resource: { uri: 'demo://a/1', mimeType: 'text/plain', text: 'x' } },
        { type: 'resource_link', uri: 'file:///etc/passwd', name: 'p' },
        { type: 'resource_link', uri: 'https://example.com/a', name: 'page' },
        { type: 'resource_link', uri: 'http://169.254.169.254/latest', name: 'm' },
        { type: 'video', data: 'x' },
      ],
    });
    expect(result).toEqual({
      _meta,
      content: [
        { type: 'text', text: '[1]' },
        { type: 'image', data, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: { uri: 'gemini://servers/s/demo://a/1', mimeType: 'text/plain', text: 'x' },
        },
        { type: 'resource_link', uri: 'gemini://servers/s/file:///etc/passwd', name: 'p' },
        { type: 'resource_link', uri: 'https://example.com/a', name: 'page' },
        {
          type: 'text',
          text: '[Left out of this result: a link whose address leads to the credentials of a machine.]',
        },
        { type: 'text', text: '[Left out: a part that is not an MCP block.]' },
      ],
    });
  });

  it('(HUB-44) has no characters that act or hide', async () => {
    const { result } = await resultOf({
      content: [{ type: 'text', text: 'a\u001b[2J\u202e' }],
      structuredContent: { 'k\u202e': ['v\u001b'] },
    });
    expect(result).toEqual({
      _meta,
      content: [{ type: 'text', text: 'a\\u{1b}[2J\\u{202e}' }],
      structuredContent: { 'k\\u{202e}': ['v\\u{1b}'] },
    });
  });

  it('has structured content, which becomes the text if there is no other', async () => {
    const { result } = await resultOf({ structuredContent: { n: 1 } });
    expect(result).toEqual({ _meta, content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } });
  });

  it.each([
    ['is not an object', [1], null],
    ['is too large', { a: 'x'.repeat(100_000) }, null],
    ['is nested more than 60 levels deep', JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`), null],
    ["does not match the server's own schema", { n: 'x' }, object({ n: { type: 'number' } })],
  ])('lacks structured content that %s, and says so', async (why, structuredContent, outputSchema) => {
    const content = [{ type: 'text', text: 'x' }];
    const { result } = await resultOf({ content, structuredContent }, listed('t', { outputSchema }));
    expect(result).toEqual({
      _meta,
      content: [...content, { type: 'text', text: `[Structured content left out: it ${why}.]` }],
    });
  });

  it('is an error if the server says so', async () => {
    const { result } = await resultOf({ content: [{ type: 'text', text: 'no' }], isError: true });
    expect(result).toEqual({ _meta, isError: true, content: [{ type: 'text', text: 'no' }] });
  });

  it('says so if it is empty', async () => {
    expect((await resultOf({})).result['content']).toEqual([
      { type: 'text', text: 'The tool ended without an error and returned nothing.' },
    ]);
    expect((await resultOf({ content: 'x', isError: true })).result['content']).toEqual([
      { type: 'text', text: 'The server reported a failure without any details.' },
    ]);
  });

  it('has as much text as a result may have, and a handle by which its owner reads the rest', async () => {
    const text = 'äb'.repeat(50_000);
    const { result, answers } = await resultOf({
      content: [
        { type: 'text', text },
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
        { type: 'text', text: 'end' },
      ],
    });
    const content: unknown = result['content'];
    const [whole, ...blocks] = z
      .array(z.looseObject({ type: z.string(), text: z.string().default('') }))
      .parse(content);
    const [shown = 'x', note] = whole?.text.split('\n\n') ?? [];
    expect(Buffer.byteLength(whole?.text ?? '')).toBeLessThanOrEqual(40_000);
    expect(text.startsWith(shown)).toBe(true);
    expect(note).toMatch(
      /^\[Shown: the first [\d,]+ of 100,004 characters\. Read the rest with gemini_read: handle "handle1", offset \d+/,
    );
    expect(blocks.map(({ type }) => type)).toEqual(['image']);
    const never = new AbortController().signal;
    expect((await answers.load('ada', 'handle1', never))?.text).toBe(`${text}\nend`);
    expect(await answers.load('bob', 'handle1', never)).toBeNull();
  });

  it('is bounded for 50 MB and for thousands of parts', async () => {
    const large = await resultOf({ content: [{ type: 'text', text: 'x'.repeat(50_000_000) }] });
    expect(JSON.stringify(large.result).length).toBeLessThan(41_000);
    const many = await resultOf({ content: Array.from({ length: 5_000 }, (_, n) => ({ type: 'text', text: `${n}` })) });
    expect(many.result['content']).toEqual([
      { type: 'text', text: expect.stringMatching(/^0\n1\n.*\n\[4,000 more parts left out\.\]$/s) },
    ]);
  });

  it.each([
    [{ type: 'error', message: 'no\u001b' }, 'The server s refused:\n| no\\u{1b}'],
    [
      { type: 'unavailable', detail: 'It ended.', wasSent: true },
      'The server s is not available. It ended. The call may have been carried out anyway.',
    ],
    [
      { type: 'unreadable', detail: 'The answer broke off.' },
      'The server s did not answer. The answer broke off. The call may have been carried out anyway.',
    ],
    [
      { type: 'kept-back', detail: 'This tool is withheld.' },
      'The server s does not offer this. This tool is withheld.',
    ],
    [{ type: 'timed-out', wasSent: false }, 'The server s did not answer in time.'],
  ] as const)('says what became of %j', async (reply, text) => {
    const servers = new ScriptedServers(server({ name: 's', tools: [listed('t')] }));
    servers.answer = () => reply;
    const { client } = await connectServers(servers);
    expect(await client.callTool({ name: 's__t' })).toEqual({ isError: true, content: [{ type: 'text', text }] });
  });
});
