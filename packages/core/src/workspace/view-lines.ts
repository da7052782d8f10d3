import { characterEnd } from '../answers/cut-end.ts';
import { splitLines } from '../edits/split-lines.ts';
import type { StepResult, ViewedFile, ViewFileRequest } from '../ports/workspace-steps.ts';
import { refusal, refused } from './step-refusals.ts';

/** So much fits into a model's turn without pushing the rest out of sight. */
const maxViewCharacters = 40_000;

/** The lines of a file's text that a request asks for. */
export function viewLines(
  text: string,
  { firstLine = 1, lastLine }: Pick<ViewFileRequest, 'firstLine' | 'lastLine'>,
): StepResult<Omit<ViewedFile, 'path' | 'hash'>> {
  const lines = splitLines(text);
  const last = Math.min(lastLine ?? lines.length, lines.length);
  if (!isLineNumber(firstLine) || (lastLine !== undefined && (!isLineNumber(lastLine) || lastLine < firstLine))) {
    const hint = 'Lines are counted from 1, and the last is not before the first.';
    return refused(refusal('invalid-arguments', 'These are no lines of a file.', hint));
  }
  if (firstLine > Math.max(lines.length, 1)) {
    const message = `The file has ${lines.length} lines, so there is no line ${firstLine}.`;
    return refused(refusal('invalid-arguments', message, 'Ask for lines that there are.'));
  }
  const shown = takeLines(lines.slice(firstLine - 1, last));
  return {
    ok: true,
    value: {
      text: shown.join(''),
      firstLine,
      lastLine: lines.length === 0 ? 0 : firstLine + shown.length - 1,
      totalLines: lines.length,
    },
  };
}

function isLineNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** As many whole lines as there is room for; of a first one that is longer, its beginning. */
function takeLines(lines: readonly string[]): readonly string[] {
  const taken: string[] = [];
  let room = maxViewCharacters;
  for (const line of lines) {
    if (line.length > room) {
      return taken.length > 0 ? taken : [line.slice(0, characterEnd(line, 0, maxViewCharacters))];
    }
    taken.push(line);
    room -= line.length;
  }
  return taken;
}
