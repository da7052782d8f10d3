import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';
import { formatCount } from '@gemini-mcp/core/internal';
import type { ResultPart } from './server-result.ts';
import { shownName } from './shown-name.ts';

/** What the CLI takes in one message. */
const maxMediaBytes = 14_000_000;

export type EncodedMedia = {
  /** Says what it is, such as `image`. */
  readonly kind: string;
  /** Base64. */
  readonly data: unknown;
  /** As the server says. */
  readonly mimeType: unknown;
};

/**
 * Media out of a result, with the type that its content has: what the server calls it does not count. What is no media that Gemini
 * takes, or no base64, or too large, is told of in words.
 */
export function readMedia({ kind, data, mimeType }: EncodedMedia): ResultPart {
  const leftOut = (why: string): ResultPart => ({ text: `[${kind} left out: ${why}]` });
  if (typeof data !== 'string' || data === '') {
    return leftOut('it has no data.');
  }
  if (data.length * 0.75 > maxMediaBytes) {
    return leftOut(
      `it has about ${formatCount(Math.round(data.length * 0.75))} bytes, and ${formatCount(maxMediaBytes)} are allowed.`,
    );
  }
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)) {
    return leftOut('its data is no base64.');
  }
  const bytes = Buffer.from(data, 'base64');
  const mediaType = mediaTypeOf(bytes.subarray(0, mediaHeadBytes));
  return mediaType === null
    ? leftOut(
        `its ${formatCount(bytes.length)} bytes are no media that Gemini takes. The server calls it ${shownName(mimeType)}.`,
      )
    : { mediaType, bytes };
}
