import { escapeControls } from '../shown-text/escape-controls.ts';

const maxLines = 24;
const maxLineCharacters = 120;
const maxShownCharacters = 1_200;

/** The beginning of a diff, each line marked as not ours, and a line of ours that says how much is missing. */
export function showDiff(diff: string): readonly string[] {
  const lines = diff === '' ? [] : diff.replace(/\n$/, '').split('\n');
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(0, maxLines)) {
    const text = `| ${cutLine(escapeControls(line))}`;
    characters += text.length + 1;
    if (characters > maxShownCharacters) {
      break;
    }
    shown.push(text);
  }
  const missing = lines.length - shown.length;
  return missing === 0 ? shown : [...shown, `(${missing} more lines of ${lines.length} are not shown here)`];
}

function cutLine(line: string): string {
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}… (the line goes on)` : line;
}
