const maxColumns = 100;

/** Wraps text for `--help` into lines that are indented below a command or flag. */
export function wrapHelp(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= maxColumns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `      ${one}`).join('\n');
}
