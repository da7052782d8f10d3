import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type-of.ts';

function head(latin1: string): Uint8Array {
  return Uint8Array.from(Buffer.from(latin1, 'latin1'));
}

describe('mediaTypeOf', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
    ['\xff\xd8\xff\xe1', 'image/jpeg'],
    ['GIF87a\x01\0', 'image/gif'],
    ['GIF89a\x01\0', 'image/gif'],
    ['%PDF-1.7\n%\xe2\xe3', 'application/pdf'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\x24\0\0\0WEBPVP8L', 'image/webp'],
    ['RIFF\n\n\n\nWEBPVP8X', 'image/webp'],
    ['\0\0\0\x24ftypheic\0\0\0\0mif1heic', 'image/heic'],
    ['\0\0\0\x24ftyphevc\0\0\0\0', 'image/heic'],
    ['\0\0\0\x24ftypmif1\0\0\0\0mif1heic', 'image/heif'],
  ])('%j is %s', (start, mediaType) => {
    expect(mediaTypeOf(head(start))).toBe(mediaType);
    expect(mediaTypeOf(head(`${start}${'\xff'.repeat(100_000)}`))).toBe(mediaType);
  });

  it.each([
    '',
    '\x89PNG',
    '\xff\xd8',
    'GIF88a',
    ' %PDF-1.7',
    'RIFF\x24\0\0\0WAVEfmt ',
    'RIFF is what WEBPs begin with',
    'RIFF1234WEBP is text',
    '\0\0\0\x24ftypavif\0\0\0\0mif1',
    '\0\0\0\x24ftypmif1\0\0\0\0avifmiaf',
    '\0\0\0\x18ftypmp42',
    'text ftypheic',
    '<svg xmlns="http://www.w3.org/2000/svg">',
  ])('%j is none', (start) => {
    expect(mediaTypeOf(head(start))).toBeNull();
  });
});
