import { Buffer } from 'node:buffer';
import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';
import { formatCount } from '@gemini-mcp/core/internal';
import { type ContentBudget, contentLimits } from './content-budget.ts';

export type ReadMedia =
  | { readonly data: string; readonly mimeType: string }
  /** A predicate on the image, sound or document, such as "is not Base64". */
  | { readonly problem: string };

const { bytesOfBlock, pixelsOfSide, bytes: bytesOfAll } = contentLimits;

const tooLarge = { problem: `has more than ${formatCount(bytesOfBlock)} bytes` };

/** Decodes Base64 of these kinds of media, reserves its bytes, and writes it as clients want it: on one line. */
export function readMedia(data: string, kinds: readonly Media['kind'][], budget: ContentBudget): ReadMedia {
  // Four characters encode three bytes, and line ends may be added. Far longer data is refused before decoding.
  if (data.length > bytesOfBlock * 1.5) {
    return tooLarge;
  }
  const bytes = readBase64(data);
  if (bytes === null) {
    return { problem: 'is not Base64' };
  }
  if (bytes.length > bytesOfBlock) {
    return tooLarge;
  }
  const media = mediaOfBytes(bytes);
  if (media === null) {
    return { problem: 'has a type that clients do not show' };
  }
  const problem = kinds.includes(media.kind) ? findImageProblem(bytes, media) : `is ${media.mimeType} by its bytes`;
  if (problem !== null) {
    return { problem };
  }
  return budget.takeBytes(bytes.length)
    ? { data: bytes.toString('base64'), mimeType: media.mimeType }
    : { problem: `exceeds the limit of ${formatCount(bytesOfAll)} bytes for all parts together` };
}

function findImageProblem(bytes: Uint8Array, { kind, mimeType }: Media): string | null {
  if (kind !== 'image') {
    return null;
  }
  const size = imageSize(bytes, mimeType);
  if (size === null) {
    return 'is damaged';
  }
  return Math.max(size.width, size.height) > pixelsOfSide
    ? `has more than ${formatCount(pixelsOfSide)} pixels on a side`
    : null;
}

/** Decodes Base64. Null if invalid: Node alone would skip every unknown character. */
export function readBase64(text: string): Buffer | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : null;
}

/** The media type that the first bytes show. */
type Media = {
  readonly kind: 'image' | 'audio' | 'document';
  readonly mimeType: string;
};

/**
 * The types that clients' models accept, by their names in the Gemini API: the four image types that all of them know, common sounds,
 * and PDF. SVG and HTML are left out on purpose: they can run code, and an image of such a type ends a conversation in Claude Code.
 */
const shownTypes: Readonly<Record<string, Media>> = {
  'image/png': { kind: 'image', mimeType: 'image/png' },
  'image/jpeg': { kind: 'image', mimeType: 'image/jpeg' },
  'image/gif': { kind: 'image', mimeType: 'image/gif' },
  'image/webp': { kind: 'image', mimeType: 'image/webp' },
  'audio/wav': { kind: 'audio', mimeType: 'audio/wav' },
  'audio/flac': { kind: 'audio', mimeType: 'audio/flac' },
  'audio/ogg': { kind: 'audio', mimeType: 'audio/ogg' },
  'audio/aac': { kind: 'audio', mimeType: 'audio/aac' },
  'audio/mp3': { kind: 'audio', mimeType: 'audio/mpeg' },
  'application/pdf': { kind: 'document', mimeType: 'application/pdf' },
};

/** The type that the bytes show, whatever the sender claims. Null for types that clients do not show. */
export function mediaOfBytes(bytes: Uint8Array): Media | null {
  // Clients accept sound in an MP4 container; Gemini does not.
  return String.fromCharCode(...bytes.subarray(4, 11)) === 'ftypM4A'
    ? { kind: 'audio', mimeType: 'audio/mp4' }
    : (shownTypes[mediaTypeOf(bytes.subarray(0, mediaHeadBytes)) ?? ''] ?? null);
}

/** In pixels, as the header of an image states it. */
type ImageSize = { readonly width: number; readonly height: number };

/** Reads the size of a PNG, GIF, WebP or JPEG of the given MIME type from its header. Null if the header is cut off or states none. */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readers[mimeType]?.(view) ?? null;
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch {
    // The read went past the end of the bytes.
    return null;
  }
}

const readers: Readonly<Record<string, (view: DataView) => ImageSize | null>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/webp': sizeOfWebp,
  'image/jpeg': sizeOfJpeg,
};

/** Reads the first chunk, which is lossy, lossless or extended. */
function sizeOfWebp(view: DataView): ImageSize | null {
  switch (view.getUint32(12)) {
    case 0x56_50_38_20:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x56_50_38_4c: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56_50_38_58:
      return { width: (view.getUint32(24, true) & 0xff_ffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    default:
      return null;
  }
}

/** Reads the first frame header, which follows segments of any length. */
function sizeOfJpeg(view: DataView): ImageSize | null {
  let place = 2;
  while (view.getUint8(place) === 0xff) {
    const marker = view.getUint8(place + 1);
    if (isFrameHeader(marker)) {
      return { height: view.getUint16(place + 5), width: view.getUint16(place + 7) };
    }
    // A marker follows a fill byte. Any other segment states its length, including the length field.
    place += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(place + 2));
  }
  return null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
