/** Controls except tabs and line ends, and characters that change the text direction or end a line. */
const controls = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Untrusted text without terminal controls, direction marks and surrounding white space. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').trim();
}

/** The same, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/[\t\r\n]+/g, ' '));
}
