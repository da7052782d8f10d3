/** The lines of a text, each with its `\n`; the last one without, where the text does not end with it. None of an empty text. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}
