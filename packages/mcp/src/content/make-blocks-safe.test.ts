import { Buffer } from 'node:buffer';
import { utf8Length } from '@gemini-mcp/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64Of, headers, png } from '../testing/made-media.ts';
import { makeBlocksSafe } from './make-blocks-safe.ts';

function safe(...blocks: readonly unknown[]): readonly unknown[] {
  return makeBlocksSafe(blocks, { textBefore: '', uriSchemes: ['test'] });
}

function ascii(text: string, length?: number): string {
  return base64Of([...Buffer.from(text, 'latin1')], length);
}

const leftOut = (what: string): unknown => ({ type: 'text', text: `[Left out of this result: ${what}.]` });
const imageOf = (data: string, mimeType = 'image/png'): unknown => ({ type: 'image', data, mimeType });
const link = { type: 'resource_link', uri: 'test://a', name: 'a' };
const side = (width: number, height: number): readonly number[] => headers['png']?.({ width, height }) ?? [];

const ogg = ascii(`OggS\0\x02${'\0'.repeat(22)}\x01vorbis`);

describe('makeBlocksSafe keeps', () => {
  it.each([
    ['a text', { type: 'text', text: 'Ünder 4 € 😀\n' }],
    ['an image', imageOf(png)],
    ['a sound', { type: 'audio', data: ascii('RIFF....WAVEfmt \x10\0\0\0'), mimeType: 'audio/wav' }],
    ['a link', { ...link, title: 'A', description: 'An a.', mimeType: 'text/html', size: 3 }],
    [
      'a resource of text',
      { type: 'resource', resource: { uri: 'test://a', mimeType: 'application/json', text: '{}' } },
    ],
    [
      'a document',
      { type: 'resource', resource: { uri: 'test://a', mimeType: 'application/pdf', blob: ascii('%PDF-1.7\n') } },
    ],
    [
      'an image that is a resource',
      { type: 'resource', resource: { uri: 'test://a', mimeType: 'image/png', blob: png } },
    ],
  ])('%s as it is', (_what, block) => {
    expect(safe(block)).toEqual([block]);
  });

  it.each([
    ['image/jpeg', 'image', png, 'image/png'],
    ['image/svg+xml', 'image', png, 'image/png'],
    ['text/html"><script>', 'image', png, 'image/png'],
    ['audio/wav', 'audio', ascii('ID3\x04\0'), 'audio/mpeg'],
    ['audio/wav', 'audio', ascii(`\xff\xfb\x90${'\0'.repeat(414)}\xff\xfb\x90`), 'audio/mpeg'],
    ['audio/wav', 'audio', ascii('\xff\xf1\x50\x80\x01\0\0\0\xff\xf1\x50\x80\x01\0'), 'audio/aac'],
    ['', 'audio', ogg, 'audio/ogg'],
    ['', 'audio', ascii('fLaC\0\0\0\x22'), 'audio/flac'],
    ['', 'audio', ascii('\0\0\0\x20ftypM4A '), 'audio/mp4'],
  ])('labels data claimed as %j by its bytes', (mimeType, type, data, real) => {
    expect(safe({ type, data, mimeType })).toEqual([{ type, data, mimeType: real }]);
  });

  it('Base64 in lines as one line', () => {
    expect(safe(imageOf(png.replace(/.{20}/g, '$&\r\n')))).toEqual([imageOf(png)]);
  });

  it('a text of a type that clients run as plain text', () => {
    const html = { uri: 'test://a', mimeType: 'text/html;profile=mcp-app', text: '<script>' };
    expect(safe({ type: 'resource', resource: html })).toEqual([
      { type: 'resource', resource: { ...html, mimeType: 'text/plain' } },
    ]);
  });

  it('only the known members of a block', () => {
    const more = { _meta: { x: 1 }, icons: [{ src: 'javascript:1' }], annotations: { audience: ['user'] } };
    expect(safe({ ...link, ...more }, { type: 'text', text: 'x', ...more })).toEqual([
      link,
      { type: 'text', text: 'x' },
    ]);
    expect(safe({ ...link, size: -1, mimeType: 'not a type', title: 5 })).toEqual([link]);
  });

  it('names on one line, and short', () => {
    const [shown] = safe({ ...link, name: 'a\u001b[2J\u202e', title: 'x'.repeat(300), description: 'y'.repeat(2_000) });
    expect(shown).toEqual({
      ...link,
      name: 'a\\u{1b}[2J\\u{202e}',
      title: `${'x'.repeat(200)}…`,
      description: `${'y'.repeat(1_000)}…`,
    });
  });

  it('no characters of a text that act', () => {
    expect(safe({ type: 'text', text: 'a\u001b[31m\nb' })).toEqual([{ type: 'text', text: 'a\\u{1b}[31m\nb' }]);
  });
});

describe('makeBlocksSafe leaves out, and says so', () => {
  const large = 3_750_001;
  it.each<[string, unknown, string]>([
    ['a value that is not a block', 5, 'a part that is not an MCP block'],
    ['an unknown kind', { type: 'video', data: '' }, 'a part that is not an MCP block'],
    ['an image without bytes', { type: 'image' }, 'a part that is not an MCP block'],
    ['text that is not Base64', imageOf('data:image/png;base64,AAAA'), 'an image that is not Base64'],
    ['Base64 that is cut', imageOf(png.slice(0, 9)), 'an image that is not Base64'],
    ['no bytes', imageOf(''), 'an image that is not Base64'],
    [
      'SVG',
      imageOf(ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
      'an image that has a type that clients do not show',
    ],
    ['HTML', imageOf(ascii('<!doctype html>'), 'image/png'), 'an image that has a type that clients do not show'],
    [
      'a program',
      { type: 'audio', data: ascii('MZ\x90'), mimeType: 'audio/wav' },
      'a sound that has a type that clients do not show',
    ],
    ['a sound as an image', imageOf(ogg), 'an image that is audio/ogg by its bytes'],
    ['a document as an image', imageOf(ascii('%PDF-1.7')), 'an image that is application/pdf by its bytes'],
    ['a beginning of an image', imageOf(base64Of(side(1, 1).slice(0, 10))), 'an image that is damaged'],
    [
      'an image that is too wide',
      imageOf(base64Of(side(8_001, 1))),
      'an image that has more than 8,000 pixels on a side',
    ],
    [
      'an image that is too high',
      imageOf(base64Of(side(1, 4_000_000_000))),
      'an image that has more than 8,000 pixels on a side',
    ],
    ['an image that is too large', imageOf(base64Of(side(1, 1), large)), 'an image that has more than 3,750,000 bytes'],
    ['data that is far too large', imageOf('A'.repeat(20_000_000)), 'an image that has more than 3,750,000 bytes'],
    [
      'a link to a file',
      { ...link, uri: 'file:///etc/passwd' },
      'a link whose address has a scheme that is not allowed',
    ],
    [
      'a resource that is a script',
      { type: 'resource', resource: { uri: 'javascript:1', text: 'x' } },
      'a resource whose address has a scheme that is not allowed',
    ],
    [
      'an archive',
      { type: 'resource', resource: { uri: 'test://a', blob: ascii('PK\x03\x04') } },
      'a resource that has a type that clients do not show',
    ],
  ])('%s', (_what, block, what) => {
    expect(safe(block, { type: 'text', text: 'after' })).toEqual([leftOut(what), { type: 'text', text: 'after' }]);
  });

  it('images beyond the bytes of a result, and takes a smaller one after them', () => {
    const large = imageOf(base64Of(side(1, 1), 3_000_000));
    const beyond = leftOut('an image that exceeds the limit of 6,000,000 bytes for all parts together');
    expect(safe(large, large, imageOf(png))).toEqual([large, large, beyond]);
    const smaller = imageOf(base64Of(side(1, 1), 2_999_000));
    expect(safe(large, large, smaller)).toEqual([large, large, beyond]);
    expect(safe(large, smaller, large, imageOf(png))).toEqual([large, smaller, beyond, imageOf(png)]);
  });

  it('blocks beyond fifty', () => {
    const blocks = safe(...Array.from({ length: 1_050 }, () => link));
    expect(blocks).toHaveLength(51);
    expect(blocks.at(-1)).toEqual(leftOut('1,000 further parts'));
  });

  it('the rest of a text', () => {
    const [first, ...rest] = safe(
      { type: 'text', text: '界'.repeat(100_000) },
      { type: 'text', text: 'more' },
      imageOf(png),
    );
    expect(first).toEqual({
      type: 'text',
      text: expect.stringMatching(
        /^界+\n\[The rest of the text is left out: a result has 40,000 bytes of text at most\.\]$/,
      ),
    });
    expect(rest).toEqual([imageOf(png)]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant('x'.repeat(30_000)),
  fc.constant('\u001b'.repeat(30_000)),
);
const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({
    type: fc.constantFrom('image', 'audio'),
    data: fc.oneof(fc.base64String(), fc.constant(png)),
    mimeType: anyText,
  }),
  fc.record({
    type: fc.constant('resource_link'),
    uri: fc.webUrl(),
    name: anyText,
    title: anyText,
    description: anyText,
  }),
  fc.record({
    type: fc.constant('resource'),
    resource: fc.record({ uri: fc.webUrl(), mimeType: anyText, text: anyText }),
  }),
  fc.jsonValue(),
);

describe('makeBlocksSafe for any input', () => {
  it('keeps within the bytes of a result, and shows nothing that acts', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 60 }), (blocks) => {
        const options = { textBefore: 'x'.repeat(5_000), uriSchemes: [] };
        const once = makeBlocksSafe(blocks, options);
        const texts = once.flatMap((block) => (block.type === 'text' ? [block.text] : []));
        expect(utf8Length(texts.join('')) + 5_000).toBeLessThanOrEqual(40_000);
        expect(JSON.stringify(once)).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]|\\u001b|\\ud[89a-f]/);
      }),
    );
  });
});
