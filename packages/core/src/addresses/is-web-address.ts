/** Not every browser accepts longer URLs; the redirects of Google's search have a few hundred characters. */
const maxCharacters = 4_096;

/**
 * Scheme and host, and no character that ends a URL in prose, HTML or Markdown. Only `/`, `?` or `#` ends the host: if the rest allowed the host's
 * characters before them, matching a long URL would take quadratic time.
 */
const webAddress = /^https?:\/\/[^\s/?#<>"\\^`{|}]+(?:[/?#][^\s<>"\\^`{|}]*)?$/i;

/** Characters that are invisible or change how others are shown. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a text is an http or https address that is safe to show in any text, on one line. */
export function isWebAddress(text: string): boolean {
  return text.length <= maxCharacters && webAddress.test(text) && !unseen.test(text);
}
