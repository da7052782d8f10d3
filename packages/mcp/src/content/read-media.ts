import { Buffer } from 'node:buffer';
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

type Signature = Media & {
  /** From the start; null for a byte that may be any. */
  readonly bytes: readonly (number | null)[];
};

const any = null;

/**
 * The types that the models of clients take: the four kinds of images that all of them know, and common sounds. SVG and HTML are not
 * among them on purpose: they are programs, and an image of such a type ends a conversation in Claude Code.
 */
const signatures: readonly Signature[] = [
  { kind: 'image', mimeType: 'image/png', bytes: [0x89, ...ascii('PNG\r\n\x1a\n')] },
  { kind: 'image', mimeType: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { kind: 'image', mimeType: 'image/gif', bytes: ascii('GIF87a') },
  { kind: 'image', mimeType: 'image/gif', bytes: ascii('GIF89a') },
  { kind: 'image', mimeType: 'image/webp', bytes: [...ascii('RIFF'), any, any, any, any, ...ascii('WEBP')] },
  { kind: 'audio', mimeType: 'audio/wav', bytes: [...ascii('RIFF'), any, any, any, any, ...ascii('WAVE')] },
  { kind: 'audio', mimeType: 'audio/flac', bytes: ascii('fLaC') },
  { kind: 'audio', mimeType: 'audio/ogg', bytes: ascii('OggS') },
  { kind: 'audio', mimeType: 'audio/mp4', bytes: [any, any, any, any, ...ascii('ftypM4A')] },
  { kind: 'audio', mimeType: 'audio/mpeg', bytes: ascii('ID3') },
  ...[0xfb, 0xfa, 0xf3, 0xf2].map(
    (second) => ({ kind: 'audio', mimeType: 'audio/mpeg', bytes: [0xff, second] }) as const,
  ),
  ...[0xf1, 0xf9].map((second) => ({ kind: 'audio', mimeType: 'audio/aac', bytes: [0xff, second] }) as const),
  { kind: 'document', mimeType: 'application/pdf', bytes: ascii('%PDF-') },
];

/** The type by the bytes themselves, whatever their sender says of it. Null for bytes of a type that clients do not show. */
export function mediaOfBytes(bytes: Uint8Array): Media | null {
  const found = signatures.find((signature) =>
    signature.bytes.every((byte, index) => (byte === any ? index < bytes.length : bytes[index] === byte)),
  );
  return found === undefined ? null : { kind: found.kind, mimeType: found.mimeType };
}

function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
