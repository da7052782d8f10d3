import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type-of.ts';

function head(latin1: string): Uint8Array {
  return Uint8Array.from(Buffer.from(latin1, 'latin1'));
}

const asf = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c';
const asfVideo = '\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\0\x80\x5f\x5c\x44\x2b';

/** Two frames in a row. */
const frames = (frame: string, length: number): string => frame.padEnd(length, '\x55') + frame;

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
    ['RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0', 'audio/wav'],
    ['RIFF\x24\0\0\0WAVEJUNK\x1c\0\0\0', 'audio/wav'],
    ['FORM\0\0\x10\0AIFFCOMM\0\0\0\x12', 'audio/aiff'],
    ['FORM\0\0\x10\0AIFCFVER\0\0\0\x04', 'audio/aiff'],
    ['fLaC\0\0\0\x22\x10\0', 'audio/flac'],
    [`OggS\0\x02${'\0'.repeat(20)}\x01\x1e\x01vorbis`, 'audio/ogg'],
    [`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`, 'audio/ogg'],
    ['ID3\x04\0\0\0\0\x02\x1fTSSE', 'audio/mp3'],
    // 128 kbit/s at 44.1 kHz and 64 kbit/s at 22.05 kHz, and both with a byte of padding.
    [frames('\xff\xfb\x90\x64', 417), 'audio/mp3'],
    [frames('\xff\xfb\x92\x64', 418), 'audio/mp3'],
    [frames('\xff\xf3\x80\xc4', 208), 'audio/mp3'],
    [frames('\xff\xe3\x10\xc4', 52), 'audio/mp3'],
    // A frame of 371 bytes.
    [frames('\xff\xf1\x50\x80\x2e\x7f\xfc', 371), 'audio/aac'],
    ['\0\0\0\x18ftypmp42\0\0\0\0', 'video/mp4'],
    ['\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'video/mp4'],
    ['\0\0\0\x14ftypqt  \0\0\x02\0qt  ', 'video/mov'],
    ['\0\0\0\x14ftyp3gp4\0\0\x02\0', 'video/3gpp'],
    ['\0\0\x01\xba\x44\0\x04\0', 'video/mpeg'],
    ['\0\0\x01\xb3\x16\x01\x20', 'video/mpeg'],
    ['RIFF\x24\x10\0\0AVI LIST\xc0\0\0\0hdrlavih', 'video/avi'],
    ['FLV\x01\x05\0\0\0\x09\0\0\0\0', 'video/x-flv'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm\x42\x87', 'video/webm'],
    [`${asf}${'\0'.repeat(60)}${asfVideo}`, 'video/wmv'],
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
    'RIFF is what WEBPs begin with',
    'RIFF1234WEBP is text',
    '\0\0\0\x24ftypavif\0\0\0\0mif1',
    '\0\0\0\x24ftypmif1\0\0\0\0avifmiaf',
    '\0\0\0\x18ftypM4A \0\0\0\0',
    '\0\0\0\x18ftypcrx \0\0\0\0',
    'text ftypmp42',
    // Texts that begin as recordings and videos do.
    'RIFF1234WAVEfmt is how a WAV begins',
    'FORM1234AIFFCOMM is how an AIFF begins',
    'fLaC is the sign of a FLAC',
    'OggS is a page',
    'ID3 is a tag of MP3s',
    'ID3\n\nhas lines',
    'FLV\x01 is text',
    'RIFF1234AVI LIST1234hdrl',
    '\xff\xfb is not an MP3 by itself',
    // Similar bytes of another format.
    `OggS\0\x02${'\0'.repeat(20)}\x01\x2a\x80theora`,
    '\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska',
    `${asf}${'\0'.repeat(60)}`,
    '\0\0\x01\0\x01\0 is an icon',
    'ID3\x09\0\0',
    // One frame, and no other after it; frames of layer II; the reserved rates.
    '\xff\xfb\x90\x64'.padEnd(500, '\x55'),
    frames('\xff\xfd\x90\x64', 417),
    frames('\xff\xfb\xf0\x64', 417),
    frames('\xff\xfb\x9c\x64', 417),
    frames('\xff\xeb\x90\x64', 417),
    '\xff\xf1\x50\x80\0\x1f\xfc'.padEnd(500, '\x55'),
    // A text in UTF-16.
    '\xff\xfeR\0I\0F\0F\0',
    'text ftypheic',
    '<svg xmlns="http://www.w3.org/2000/svg">',
  ])('%j is not a type', (start) => {
    expect(mediaTypeOf(head(start))).toBeNull();
  });
});
