import { Buffer } from 'node:buffer';
import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';
import { formatCount } from '@gemini-mcp/core/internal';
import { type ContentBudget, contentLimits } from './content-budget.ts';
import { imageSize } from './image-size.ts';

export type ReadMedia =
  | { readonly data: string; readonly mimeType: string }
  /** Said of the image, sound or document, such as "is no Base64". */
  | { readonly problem: string };

const { bytesOfBlock, pixelsOfSide, bytes: bytesOfAll } = contentLimits;

const tooLarge = { problem: `has more than ${formatCount(bytesOfBlock)} bytes` };

/** Reads Base64 of these kinds of media, takes its room from the budget, and writes it as clients want it: on one line. */
export function readMedia(data: string, kinds: readonly Media['kind'][], budget: ContentBudget): ReadMedia {
  // Four characters are three bytes; line ends may come in addition. What is far too long is not decoded.
  if (data.length > bytesOfBlock * 1.5) {
    return tooLarge;
  }
  const bytes = readBase64(data);
  if (bytes === null) {
    return { problem: 'is no Base64' };
  }
  if (bytes.length > bytesOfBlock) {
    return tooLarge;
  }
  const media = mediaOfBytes(bytes);
  if (media === null) {
    return { problem: 'is of no type that clients show' };
  }
  const problem = kinds.includes(media.kind) ? findImageProblem(bytes, media) : `is ${media.mimeType} by its bytes`;
  if (problem !== null) {
    return { problem };
  }
  return budget.takeBytes(bytes.length)
    ? { data: bytes.toString('base64'), mimeType: media.mimeType }
    : { problem: `goes beyond the ${formatCount(bytesOfAll)} bytes that all parts may have together` };
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

/** What Base64 decodes to. Null where it is none: Node alone would read past every character that it does not know. */
export function readBase64(text: string): Buffer | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : null;
}

/** What bytes are, by their first ones. */
type Media = {
  readonly kind: 'image' | 'audio' | 'document';
  readonly mimeType: string;
};

/**
 * The types that the models of clients take, by their names in the Gemini API: the four kinds of images that all of them know, common sounds,
 * and PDF. SVG and HTML are not among them on purpose: they are programs, and an image of such a type ends a conversation in Claude Code.
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

/** The type by the bytes themselves, whatever their sender says of it. Null for bytes of a type that clients do not show. */
export function mediaOfBytes(bytes: Uint8Array): Media | null {
  // Gemini takes no sound in a container of MP4; clients do.
  return String.fromCharCode(...bytes.subarray(4, 11)) === 'ftypM4A'
    ? { kind: 'audio', mimeType: 'audio/mp4' }
    : (shownTypes[mediaTypeOf(bytes.subarray(0, mediaHeadBytes)) ?? ''] ?? null);
}
