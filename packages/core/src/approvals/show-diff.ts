import { escapeControls } from '../text/escape-controls.ts';
import { countOf } from '../text/format-count.ts';

/** So much fits into a question with its other lines. */
const maxCharacters = 1_500;
/** Forms show no more without a bar to scroll by. */
const maxLines = 60;

/**
 * A diff, each line marked as not ours: every line that comes or goes, whole, and the unchanged lines around them if there is room. Long runs
 * of blanks are counted. Null for a diff that is too long to be shown so.
 */
export function showDiff(diff: string): readonly string[] | null {
  const lines = diff === '' ? [] : countBlankLines(diff.replace(/\n$/, '').split('\n').map(makeVisible));
  if (fits(lines)) {
    return lines.map(mark);
  }
  const changed = lines.filter((line) => !line.startsWith(' '));
  const left = countOf(lines.length - changed.length, 'unchanged line');
  return fits(changed) ? [...changed.map(mark), `(${left} around them not shown)`] : null;
}

function fits(lines: readonly string[]): boolean {
  return lines.length <= maxLines && lines.join('\n').length <= maxCharacters;
}

function mark(line: string): string {
  return `| ${line}`;
}

/** A braille pattern without dots looks like a blank too. */
const longBlank = /[\s\u2800]{41,}/gu;

function makeVisible(line: string): string {
  // What stands for blanks is not to be found in a file.
  const text = escapeControls(line).replaceAll('⟨', '\\u{27e8}');
  return text.replace(longBlank, (blanks) => `⟨${countOf(blanks.length, 'blank')}⟩`);
}

const blankLine = /^[+-](?:[\s\u2800]*|⟨[\d,]+ blanks⟩)$/u;
const fewBlankLines = 3;

function countBlankLines(lines: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    const goesOn = blankLine.test(line) && last !== undefined && blankLine.test(last[0] ?? '');
    if (goesOn && last[0]?.[0] === line[0]) {
      last.push(line);
    } else {
      runs.push([line]);
    }
  }
  return runs.flatMap((run) =>
    run.length <= fewBlankLines ? run : [`${run[0]?.[0] ?? ''}⟨${countOf(run.length, 'blank line')}⟩`],
  );
}
