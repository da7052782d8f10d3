import { formatCount } from '@gemini-mcp/core/internal';
import type { ContentBudget } from './content-budget.ts';
import { contentLimits } from './content-limits.ts';
import { imageSize } from './image-size.ts';
import { type Media, mediaOfBytes } from './media-of-bytes.ts';
import { readBase64 } from './read-base64.ts';

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
