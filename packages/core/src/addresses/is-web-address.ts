/** Browsers take no longer ones everywhere, and the redirects of Google's search have some hundred characters. */
const maxCharacters = 4_096;

/**
 * Scheme and host, and nothing that ends a URL in prose, HTML or Markdown. Only `/`, `?` or `#` ends the host: were its
 * characters in the rest as well, a long URL would take a time that grows with the square of its length.
 */
const webAddress = /^https?:\/\/[^\s/?#<>"\\^`{|}]+(?:[/?#][^\s<>"\\^`{|}]*)?$/i;

/** Characters that are not seen or change how others are shown. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a text is an address of http or https that can be shown in any text, and on one line. */
export function isWebAddress(text: string): boolean {
  return text.length <= maxCharacters && webAddress.test(text) && !unseen.test(text);
}
