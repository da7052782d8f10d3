import { audioTypeOf } from './audio-type-of.ts';
import { videoTypeOf } from './video-type-of.ts';

/** Bytes of a file's beginning that are enough for `mediaTypeOf`: two frames of an MP3 lie in them, and the header of a video. */
export const mediaHeadBytes = 4_096;

/** How files of a type begin, a character for each byte. */
const beginnings: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['%PDF-', 'application/pdf'],
];

/** HEVC images (ISO/IEC 23008-12). */
const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/** Any image in such a container: AVIF too, which names itself among the brands that follow. */
const generalBrands: ReadonlySet<string> = new Set(['mif1', 'msf1']);

/** The brands of a file are among its first bytes. */
const brandBytes = 64;

/**
 * The type of an image, a PDF, a recording or a video by how it begins, in the words of the Gemini API; null for anything else,
 * whatever its name. But for GIF and PDF, every
 * beginning has bytes that no text has.
 */
export function mediaTypeOf(head: Uint8Array): string | null {
  const start = String.fromCharCode(...head.subarray(0, mediaHeadBytes));
  const known = beginnings.find(([beginning]) => start.startsWith(beginning));
  return known?.[1] ?? imageTypeOf(start) ?? audioTypeOf(start) ?? videoTypeOf(start);
}

/** A container's name counts only where the format's own bytes are around it: text can begin with `RIFF`. */
function imageTypeOf(start: string): string | null {
  if (start.startsWith('RIFF') && /^WEBPVP8[ LX]/.test(start.slice(8))) {
    return 'image/webp';
  }
  if (!start.startsWith('\0') || start.slice(4, 8) !== 'ftyp') {
    return null;
  }
  const brand = start.slice(8, 12);
  if (heicBrands.has(brand)) {
    return 'image/heic';
  }
  return generalBrands.has(brand) && !/avi[fs]/.test(start.slice(0, brandBytes)) ? 'image/heif' : null;
}
