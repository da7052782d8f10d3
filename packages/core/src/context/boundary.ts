import type { ContextBundle } from '../ports/context-resolver.ts';
import { formatLineRange } from './format-line-range.ts';

/**
 * Creates the word in the tags of a message: letters and digits, in as few tokens as possible, the same for the same parts in the same order, and
 * different for any others. It is unpredictable without the secret. Parts are texts or bytes.
 */
export type BoundaryOf = (parts: readonly (string | Uint8Array)[]) => string;

export type BoundaryOptions = {
  /** Each owner has boundaries of its own. */
  readonly owner: string;
  readonly bundle: ContextBundle;
  /** All other texts in the message or before it: the boundary must not occur in any of them. */
  readonly texts: readonly string[];
  /**
   * Makes the boundary different for each call if Gemini also reads texts that cannot be searched beforehand, such as web pages; null if it reads
   * nothing else.
   */
  readonly freshness: string | null;
  readonly boundaryOf: BoundaryOf;
};

/**
 * A boundary for these documents and media. It stays the same for another question about them, so that the message begins with the same bytes and
 * hits Google's cache. It occurs in no text of the message, so no text can imitate our tags: a file that contains the boundary of an earlier message
 * gets another one (decision 0060).
 */
export function boundaryFor({ owner, bundle, texts, freshness, boundaryOf }: BoundaryOptions): string {
  const { documents, media = [], leftOut } = bundle;
  const parts = [
    owner,
    freshness ?? '',
    ...documents.flatMap(({ path, lines, text }) => [path, lines === undefined ? '' : formatLineRange(lines), text]),
    ...media.flatMap(({ path, mediaType, bytes }) => [path, mediaType, bytes]),
  ];
  const paths = [...documents, ...media, ...leftOut].map(({ path }) => path);
  const strangers = [...texts, ...paths, ...documents.map(({ text }) => text)];
  for (let attempt = 0; ; attempt += 1) {
    const boundary = boundaryOf([`${attempt}`, ...parts]);
    if (!strangers.some((text) => text.includes(boundary))) {
      return boundary;
    }
  }
}
