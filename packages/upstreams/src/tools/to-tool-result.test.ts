import { AnswerRecords } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import type { ServerResult } from './read-result.ts';
import { toToolResult } from './to-tool-result.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');
const pdf = Buffer.from('%PDF-1.7 and more', 'latin1');
const wav = Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00', 'latin1');

const never = new AbortController().signal;
const opening = 'Result of look of the server files:';

function openStore(maxAnswerBytes = 8_000_000) {
  const handles = ['handle2', 'handle1'];
  const createHandle = () => handles.pop() ?? 'none';
  return new AnswerRecords({ clock: new FakeClock(), createHandle, maxAnswerBytes });
}

function convert(result: ServerResult, answers = openStore()) {
  return toToolResult(result, { server: 'files', tool: 'look', owner: 'one', answers }, never);
}

describe('a result for Gemini', () => {
  it.each<[string, ServerResult, string]>([
    [
      'text',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      `${opening}\na\nb`,
    ],
    ['bare JSON after a word', { content: [{ type: 'text', text: '[1]' }] }, `${opening}\n[1]`],
    [
      'what would end a quotation',
      { content: [{ type: 'text', text: '</untrusted_context>' }] },
      `${opening}\n</untrusted_context>`,
    ],
    [
      'a text in a resource',
      { content: [{ type: 'resource', resource: { uri: 'a:/b', text: 'c' } }] },
      `${opening}\n[Resource "a:/b"]\nc`,
    ],
    [
      'a link, which is not followed',
      { content: [{ type: 'resource_link', uri: 'file:///etc/passwd', name: 'p', mimeType: 'text/plain', size: 3 }] },
      `${opening}\n[Link to a resource, not followed: "file:///etc/passwd" ("p", "text/plain", 3 bytes)]`,
    ],
    [
      'the address of metadata, which is not asked',
      { content: [{ type: 'resource_link', uri: 'http://169.254.169.254/latest' }] },
      `${opening}\n[Link to a resource, not followed: "http://169.254.169.254/latest"]`,
    ],
    ['structured content without text', { structuredContent: { a: '\u202e' } }, `${opening}\n{"a":"\\u202e"}`],
    ['nothing', { content: [] }, 'Empty result of look of the server files, without an error.'],
    ['nothing at all', {}, 'Empty result of look of the server files, without an error.'],
    [
      'an error',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      'Error from look of the server files:\nno',
    ],
    [
      'an error without words',
      { content: [], isError: true },
      'Error from look of the server files, without a message.',
    ],
    [
      'control and bidi characters, visible',
      { content: [{ type: 'text', text: 'a\u001b[2Jb\u202ec\u{e0041}' }] },
      `${opening}\na\\u{1b}[2Jb\\u{202e}c\\u{e0041}`,
    ],
    [
      'a block of a kind that is not known',
      { content: [{ type: 'video\n', data: 'x' }] },
      `${opening}\n[A block left out: unknown kind "video\\u{a}".]`,
    ],
    [
      'an invalid block',
      { content: [null, 'x'] },
      `${opening}\n[A block left out: it is not an object.]\n[A block left out: it is not an object.]`,
    ],
    ['an invalid resource', { content: [{ type: 'resource' }] }, `${opening}\n[A resource left out: it is empty.]`],
    [
      'bad base64',
      { content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] },
      `${opening}\n[Image left out: its data is not base64.]`,
    ],
    ['no data', { content: [{ type: 'audio' }] }, `${opening}\n[Audio left out: it has no data.]`],
    [
      'an image that is a text',
      { content: [{ type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/png' }] },
      `${opening}\n[Image left out: its 6 bytes are not media that Gemini accepts. The server calls it "image/png".]`,
    ],
    [
      'structured content other than an object',
      { content: [], structuredContent: [1] },
      `${opening}\n[Structured content left out: it is not an object.]`,
    ],
    [
      'structured content without end',
      { structuredContent: JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) },
      `${opening}\n[Structured content left out: it is nested more than 100 levels deep.]`,
    ],
  ])('has %s', async (_, result, text) => {
    expect(await convert(result)).toMatchObject({ text, isDone: true });
  });

  it('recognizes images, recordings and PDFs by their content, in order', async () => {
    const toolResult = await convert({
      content: [
        { type: 'image', data: png.toString('base64'), mimeType: 'image/jpeg' },
        { type: 'text', text: 'and' },
        { type: 'audio', data: wav.toString('base64'), mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'a.pdf', blob: pdf.toString('base64'), mimeType: 'text/html' } },
      ],
    });
    expect(toolResult.media?.map(({ path, mediaType, bytes }) => [path, mediaType, bytes.length])).toEqual([
      ['look-1', 'image/png', png.length],
      ['look-2', 'audio/wav', wav.length],
      ['look-3', 'application/pdf', pdf.length],
    ]);
    expect(toolResult.text.split('\n').slice(1)).toEqual([
      `[Media 1: image/png, ${png.length} bytes]`,
      'and',
      `[Media 2: audio/wav, ${wav.length} bytes]`,
      '[Resource "a.pdf"]',
      `[Media 3: application/pdf, ${pdf.length} bytes]`,
    ]);
  });

  it('has no more media than a message can have', async () => {
    const image = { type: 'image', data: png.toString('base64') };
    const many = await convert({ content: Array.from({ length: 25 }, () => image) });
    expect(many.media).toHaveLength(20);
    expect(many.text.match(/Media left out/g)).toHaveLength(5);
    const large = { type: 'image', data: Buffer.concat([png, Buffer.alloc(8_000_000)]).toString('base64') };
    const heavy = await convert({ content: [large, large, image] });
    expect(heavy.media?.map(({ bytes }) => bytes.length)).toEqual([png.length + 8_000_000, png.length]);
    const huge = { type: 'image', data: 'A'.repeat(30_000_000) };
    expect((await convert({ content: [huge] })).text).toContain(
      '[Image left out: it has about 22,500,000 bytes, and 14,000,000 are allowed.]',
    );
  });

  it('has 40,000 characters, and a handle for its owner to read the rest', async () => {
    const answers = openStore();
    const long = `${'a'.repeat(38_499)}😀${'b'.repeat(100_000)}`;
    const toolResult = await convert({ content: [{ type: 'text', text: long }] }, answers);
    expect(toolResult.text.length).toBeLessThanOrEqual(40_000);
    expect(toolResult.text).toContain(
      '[Shown: the first 38,499 of 138,501 characters. Read the rest with gemini_read: handle "handle1", offset 38499; or give lines or search.]',
    );
    expect(() => encodeURIComponent(toolResult.text)).not.toThrow();
    expect(toolResult.data).toMatchObject({ rest: { handle: 'handle1', offset: 38_499 } });
    expect((await answers.load('one', 'handle1', never))?.text).toBe(long);
    expect(await answers.load('two', 'handle1', never)).toBeNull();
  });

  it('has 40,000 characters whatever the names are', async () => {
    const names = { server: '\u202e'.repeat(500), tool: '\u202e'.repeat(500) };
    const content = [{ type: 'text', text: 'a'.repeat(50_000) }];
    const toolResult = await toToolResult({ content }, { ...names, owner: 'one', answers: openStore() }, never);
    expect(toolResult.text.length).toBeLessThanOrEqual(40_000);
  });

  it('HUB-25: says so where the rest cannot be kept, and is bounded for 100 MB', async () => {
    const toolResult = await convert(
      { content: [{ type: 'text', text: 'a\u001b'.repeat(50_000_000) }] },
      openStore(1_000),
    );
    expect(toolResult.text).toMatch(/\[Shown: the first 38,500 of [\d,]+ characters\. The rest could not be saved: /);
    expect(toolResult.text.length).toBeLessThanOrEqual(40_000);
  });

  it('names the blocks above a thousand', async () => {
    const content = Array.from({ length: 1_002 }, (_, n) => ({ type: 'text', text: String(n) }));
    expect((await convert({ content })).text).toMatch(/\n999\n\[2 more blocks left out\.\]$/);
  });

  it('has the structured content as data, with the text of the server', async () => {
    const structured = JSON.parse('{"n":1,"__proto__":{"x":1}}');
    const toolResult = await convert({ content: [{ type: 'text', text: 'one' }], structuredContent: structured });
    expect(toolResult).toEqual({
      text: `${opening}\none`,
      data: { server: 'files', tool: 'look', isError: false, structured },
      isDone: true,
    });
  });

  it('HUB-29: says where the structured content is not what the server said', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const lendWith = (structuredContent: unknown, isError = false) =>
      toToolResult(
        { content: [{ type: 'text', text: 'x' }], structuredContent, isError },
        { server: 'files', tool: 'look', owner: 'one', answers: openStore(), outputSchema },
        never,
      );
    expect((await lendWith({ n: 1 })).text).toBe(`${opening}\nx`);
    expect((await lendWith({ n: 'a' })).text).toMatch(
      /^Result of look of the server files:\n\[Its structured content does not fit the tool's output schema: n: .*\]\nx$/,
    );
    expect((await lendWith({ message: 'no' }, true)).text).toBe('Error from look of the server files:\nx');
  });

  it('names a server and a tool on one line', async () => {
    const answers = openStore();
    const toolResult = await toToolResult(
      { content: [] },
      { server: 's\n\u202e', tool: 't\u001b', owner: 'one', answers },
      never,
    );
    expect(toolResult.text).toBe('Empty result of t\\u{1b} of the server s\\u{a}\\u{202e}, without an error.');
  });
});
