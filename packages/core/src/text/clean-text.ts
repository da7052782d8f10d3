/** Controls, but for tabs and line ends, and characters that turn a line around or end it. */
const controls = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text from strangers without what acts on a terminal or turns a line around, and without white space around it. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').trim();
}

/** The same as one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/[\t\r\n]+/g, ' '));
}
