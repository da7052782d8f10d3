import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { connect } from '../testing/connect-surface.ts';
import { base64Of, headers, png } from '../testing/made-media.ts';

function toolOf(given: Partial<Tool> & Pick<Tool, 'run'>): Tool {
  return {
    name: 'do_it',
    title: 'Do it',
    description: 'Does it',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ...given,
  };
}

function answering(outcome: ToolOutcome, given: Partial<Tool> = {}): Tool {
  return toolOf({ ...given, run: async () => outcome });
}

const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

describe('a tool that throws', () => {
  const thrown = (error: Error): Tool =>
    toolOf({
      run: async () => {
        throw error;
      },
    });

  it('names the shortage of the system and what to do, and for any other error the id in the log alone', async () => {
    const shortage = Object.assign(new Error('EMFILE: too many open files, open /home/ada/secret'), { code: 'EMFILE' });
    for (const [error, says] of [
      [shortage, /^Nothing was done: .*\(EMFILE\)\. Raise its limit .*Then try again\./],
      [new Error('a bug in /home/ada/secret'), /^Internal error [0-9a-f-]{36} /],
    ] as const) {
      const { client, log } = await connect({ tools: [thrown(error)] });
      const result = await client.callTool({ name: 'do_it' });
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.stringMatching(says) }] });
      expect(JSON.stringify(result)).not.toContain('secret');
      expect(log).toMatchObject([{ event: 'tool-threw', error }]);
    }
  });
});

describe('a result of several blocks', () => {
  it('has them after its text, or instead of an empty one', async () => {
    const link = { type: 'resource_link', uri: 'test://a', name: 'a' } as const;
    const blocks = [image, link];
    const shown = { text: 'Here:', blocks, isError: false };
    const both = [
      answering(shown, { name: 'with_text', uriSchemes: ['test'] }),
      answering({ ...shown, text: '' }, { name: 'without_text', uriSchemes: ['test'] }),
    ];
    const { client, log } = await connect({ tools: both });
    expect((await client.callTool({ name: 'with_text' })).content).toEqual([
      { type: 'text', text: 'Here:' },
      image,
      link,
    ]);
    expect((await client.callTool({ name: 'without_text' })).content).toEqual([image, link]);
    expect(log).toEqual([]);
  });

  it('has a note in the place of each block that cannot be shown', async () => {
    const svg = { ...image, data: base64Of([0x3c, 0x73, 0x76, 0x67]) };
    const file = { type: 'resource_link', uri: 'test://a', name: 'a' } as const;
    const { client } = await connect({ tools: [answering({ text: '', blocks: [svg, file, image], isError: false })] });
    expect((await client.callTool({ name: 'do_it' })).content).toEqual([
      { type: 'text', text: '[Left out of this result: an image that has a type that clients do not show.]' },
      { type: 'text', text: '[Left out of this result: a link whose address has a scheme that is not allowed.]' },
      image,
    ]);
  });

  it('fits into a message that a client takes', async () => {
    const header = headers['png']?.({ width: 1, height: 1 }) ?? [];
    const blocks = [3_750_000, 3_750_000, 2_250_000].map((bytes) => ({ ...image, data: base64Of(header, bytes) }));
    const { client } = await connect({ tools: [answering({ text: 'x'.repeat(39_000), blocks, isError: false })] });
    const result = await client.callTool({ name: 'do_it' });
    expect(JSON.stringify(result).length).toBeLessThan(8_100_000);
    expect(result.content).toMatchObject([{}, { type: 'image' }, { type: 'text' }, { type: 'image' }]);
  });
});

describe('structured content', () => {
  const output = { jsonSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } };

  it('is sent by the declared schema, and as text if there is no other', async () => {
    const tool = answering({ text: '', structured: { n: 5 }, isError: false }, { output });
    const { client } = await connect({ tools: [tool] });
    expect((await client.listTools()).tools).toMatchObject([{ outputSchema: output.jsonSchema }]);
    expect(await client.callTool({ name: 'do_it' })).toEqual({
      content: [{ type: 'text', text: '{"n":5}' }],
      structuredContent: { n: 5 },
    });
  });

  it('is not asked of a failure', async () => {
    const { client } = await connect({ tools: [answering({ text: 'No.', isError: true }, { output })] });
    await client.listTools();
    expect(await client.callTool({ name: 'do_it' })).toEqual({
      content: [{ type: 'text', text: 'No.' }],
      isError: true,
    });
  });

  it.each<[string, ToolOutcome, Partial<Tool>]>([
    ['breaks its schema', { text: 'x', structured: { n: 'secret' }, isError: false }, { output }],
    ['is missing', { text: 'x', isError: false }, { output }],
    ['has no schema', { text: 'x', structured: { n: 5 }, isError: false }, {}],
    ['is too long', { text: 'x', structured: { n: 5, more: 'x'.repeat(40_000) }, isError: false }, { output }],
  ])('that %s is a bug, and goes to the log alone', async (_what, outcome, given) => {
    const { client, log } = await connect({ tools: [answering(outcome, given)] });
    const result = await client.callTool({ name: 'do_it' });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Internal error') }] });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(log).toMatchObject([{ event: 'tool-threw', subject: 'do_it' }]);
  });

  it('may be declared with zod, whose defaults then count', async () => {
    const tool = answering(
      { text: '', structured: {}, isError: false },
      { output: z.object({ n: z.int().default(1) }) },
    );
    const { client } = await connect({ tools: [tool] });
    expect((await client.listTools()).tools).toMatchObject([{ outputSchema: { required: ['n'] } }]);
    expect(await client.callTool({ name: 'do_it' })).toMatchObject({ structuredContent: { n: 1 } });
  });
});

describe('a tool with JSON Schema', () => {
  const jsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    definitions: { word: { type: 'string' } },
    properties: { word: { $ref: '#/definitions/word' } },
    additionalProperties: false,
  };

  it('is listed with it as it is, gets the arguments as they came, and refuses others in the usual words', async () => {
    const tool = toolOf({
      input: { jsonSchema },
      run: async (args) => ({ text: JSON.stringify(args), isError: false }),
    });
    const { client } = await connect({ tools: [tool] });
    expect((await client.listTools()).tools).toMatchObject([{ inputSchema: jsonSchema }]);
    const call = (args: Record<string, unknown>) => client.callTool({ name: 'do_it', arguments: args });
    expect(await call({ word: 'x' })).toEqual({ content: [{ type: 'text', text: '{"word":"x"}' }] });
    const lines = [
      'Invalid arguments for do_it; nothing was done.',
      '- "wrod": no such argument. Did you mean word?',
      'Accepted: word.',
    ];
    expect(await call({ wrod: 'x' })).toEqual({ content: [{ type: 'text', text: lines.join('\n') }], isError: true });
  });

  it('that cannot be used runs nothing, and tells the log why', async () => {
    const broken = { jsonSchema: { type: 'object', $ref: 'https://x.example/s' } };
    const { client, log } = await connect({
      tools: [toolOf({ input: broken, run: async () => ({ text: 'ran', isError: false }) })],
    });
    expect(await client.callTool({ name: 'do_it' })).toMatchObject({ isError: true });
    expect(log).toMatchObject([{ event: 'tool-threw', error: { message: expect.stringContaining('x.example') } }]);
  });
});
