import { Buffer } from 'node:buffer';
import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';
import { formatCount } from '@gemini-mcp/core/internal';
import { type ContentBudget, contentLimits } from './content-budget.ts';
import { imageSize } from './image-size.ts';

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
