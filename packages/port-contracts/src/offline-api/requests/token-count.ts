import { isJsonRecord, type JsonRecord, recordsIn } from '../json-record.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** The approximate tokens of an image or a page; a whole PDF here. */
const tokensPerMedium = 258;

const charactersPerToken = 4;

/** Beyond Latin, Greek and Cyrillic. A Latin-1 text, as most are, needs no look at each character. */
const denseScript = /[\u0530-\uffff]/;
const firstDense = 0x0530;

/** The tokens of a text or a request before rounding. */
export type TokenTally = {
  /** UTF-16 code units of scripts with about one token each. */
  readonly dense: number;
  readonly others: number;
  readonly media: number;
};

export const emptyTally: TokenTally = { dense: 0, others: 0, media: 0 };

/** A tally with one more text. */
export function addText(tally: TokenTally, text: string): TokenTally {
  const dense = denseScript.test(text) ? countDense(text) : 0;
  return { ...tally, dense: tally.dense + dense, others: tally.others + text.length - dense };
}

/** A tally with one more part of a turn: its text, an inline image or PDF. */
export function addPart(tally: TokenTally, part: JsonRecord): TokenTally {
  const isMedium = isJsonRecord(part['inlineData'] ?? part['inline_data']);
  const more = isMedium ? { ...tally, media: tally.media + 1 } : tally;
  return typeof part['text'] === 'string' ? addText(more, part['text']) : more;
}

/**
 * How this API counts, in `countTokens` and in `usageMetadata` alike: a token for each UTF-16 code unit of text from U+0530
 * on, one for each four others, rounded up in total, and 258 for each image or PDF.
 */
export function tokensOfTally({ dense, others, media }: TokenTally): number {
  return dense + Math.ceil(others / charactersPerToken) + media * tokensPerMedium;
}

/** Of the system instruction and the whole conversation; tools and schemas cost nothing. */
export function countRequestTokens({ contents, systemText }: RecordedRequest): number {
  const parts = contents.flatMap((content) => recordsIn(content.parts));
  return tokensOfTally(parts.reduce(addPart, addText(emptyTally, systemText)));
}

function countDense(text: string): number {
  let dense = 0;
  for (let index = 0; index < text.length; index += 1) {
    dense += text.charCodeAt(index) >= firstDense ? 1 : 0;
  }
  return dense;
}
