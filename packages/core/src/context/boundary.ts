import type { ContextBundle } from '../ports/context-resolver.ts';
import { formatLineRange } from './format-line-range.ts';

/**
 * Makes the word in the tags of a message: letters and digits, as few tokens as may be, the same for the same parts in the same order, and another
 * for any others. No one without the secret in it can tell which. Parts are texts, or bytes.
 */
export type BoundaryOf = (parts: readonly (string | Uint8Array)[]) => string;

export type BoundaryOptions = {
  /** No owner gets a boundary that another has seen. */
  readonly owner: string;
  readonly bundle: ContextBundle;
  /** Everything else that is in the message or before it: no boundary of ours may occur in it. */
  readonly texts: readonly string[];
  /**
   * What makes the boundary a fresh one for each call, where Gemini also reads what cannot be searched for a boundary before, such as
   * pages of the web; null where it reads nothing else.
   */
  readonly freshness: string | null;
  readonly boundaryOf: BoundaryOf;
};

/**
 * A boundary for these documents and media. It is the same for another question about them, so that the message begins with the same
 * bytes, and Google's cache has them. It is in no text of the message, so that no text can imitate our tags; and a file that
 * has learnt the boundary of an earlier message, and now holds it, gets another (decision 0060).
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
