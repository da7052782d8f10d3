import type { ViewedFile, ViewFileRequest } from '../ports/workspace/file-steps.ts';
import type { StepResult } from '../ports/workspace/step-result.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { splitLines } from '../text/split-lines.ts';
import { characterEnd } from '../text/truncate-text.ts';
import type { SeenLines } from './seen-files.ts';
import { refusal, refused } from './step-refusals.ts';

/** The room for file text in one tool result, with invisible characters made visible. */
export const maxViewCharacters: number = 39_000;

/** The lines that are shown, and those among them that are shown whole. */
export type ShownLines = { readonly viewed: Omit<ViewedFile, 'path' | 'hash'>; readonly seen: SeenLines };

/** The lines of a file that a request asks for. */
export function viewLines(
  text: string,
  { firstLine = 1, lastLine }: Pick<ViewFileRequest, 'firstLine' | 'lastLine'>,
): StepResult<ShownLines> {
  const lines = splitLines(text);
  const last = Math.min(lastLine ?? lines.length, lines.length);
  if (!isLineNumber(firstLine) || (lastLine !== undefined && (!isLineNumber(lastLine) || lastLine < firstLine))) {
    const hint = 'Lines are counted from 1, and the last is not before the first.';
    return refused(refusal('invalid-arguments', 'These line numbers are not valid.', hint));
  }
  if (firstLine > Math.max(lines.length, 1)) {
    const message = `The file has ${lines.length} lines, so there is no line ${firstLine}.`;
    return refused(refusal('invalid-arguments', message, 'Ask for lines that exist.'));
  }
  const shown = takeLines(lines.slice(firstLine - 1, last));
  const totalLines = lines.length;
  const shownLast = totalLines === 0 ? 0 : firstLine + shown.length - 1;
  const isCut = shown[0] !== undefined && shown[0] !== lines[firstLine - 1];
  const viewed = { text: shown.join(''), firstLine, lastLine: shownLast, totalLines };
  return { ok: true, value: { viewed, seen: { firstLine, lastLine: isCut ? firstLine - 1 : shownLast, totalLines } } };
}

function isLineNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** As many whole lines as fit; if the first one is too long, its beginning. */
function takeLines(lines: readonly string[]): readonly string[] {
  const taken: string[] = [];
  let room = maxViewCharacters;
  for (const line of lines) {
    const { length } = escapeControls(line);
    if (length > room) {
      return taken.length > 0 ? taken : [line.slice(0, characterEnd(line, 0, maxViewCharacters))];
    }
    taken.push(line);
    room -= length;
  }
  return taken;
}
