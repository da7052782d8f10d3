/** Control characters, direction overrides, lone surrogates: some clients print to a terminal. */
const undisplayable = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** A text on one line, without what could play with a terminal. */
export function toLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(undisplayable, '').trim();
}
