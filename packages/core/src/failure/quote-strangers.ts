/** Controls other than line ends and tabs, which could move a terminal's cursor or hide text. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text from strangers, fenced so that neither a reader nor a model takes it for ours: each line is marked, so that nothing
 * in it can close the fence.
 */
export function quoteStrangers(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(controls, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'))
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');
}
