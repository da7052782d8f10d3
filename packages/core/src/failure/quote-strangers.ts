/** What could move a terminal's cursor or hide text, and halves of characters, which many clients cannot read. */
const unshowable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text from strangers, fenced so that neither a reader nor a model takes it for ours: each line is marked, so that nothing
 * in it can close the fence.
 */
export function quoteStrangers(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unshowable, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'))
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');
}
