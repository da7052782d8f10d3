import type { FoundLine, SearchFilesRequest } from '../ports/workspace/file-steps.ts';
import type { StepResult } from '../ports/workspace/step-result.ts';
import { splitsSurrogatePair } from '../text/splits-surrogate-pair.ts';
import { refusal, refused } from './step-refusals.ts';

/** Start and end of a match, as places in its line. */
export type FoundPlace = { readonly start: number; readonly end: number };

/** Finds the first match in one line without its line end. */
export type FindInLine = (line: string) => FoundPlace | null;

/** No one writes a longer one by hand. */
const maxSearchCharacters = 1_000;
const maxLineCharacters = 400;

/** A request's search as a function; a refusal if its text can match nothing or is not a valid regular expression. */
export function createLineSearch({
  text,
  isPattern,
  ignoresCase,
}: Pick<SearchFilesRequest, 'text' | 'isPattern' | 'ignoresCase'>): StepResult<FindInLine> {
  if (text === '' || text.length > maxSearchCharacters || text.includes('\n')) {
    const hint = `Give 1 to ${maxSearchCharacters} characters without a line end: one line is searched at a time.`;
    return refused(refusal('invalid-arguments', 'This text cannot be searched for.', hint));
  }
  if (!isPattern && !ignoresCase) {
    return { ok: true, value: (line) => placeAt(line.indexOf(text), text.length) };
  }
  const source = isPattern ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  try {
    const expression = new RegExp(source, ignoresCase ? 'iu' : 'u');
    return {
      ok: true,
      value: (line) => {
        const match = expression.exec(line);
        return match === null ? null : placeAt(match.index, match[0].length);
      },
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'It is not a regular expression.';
    return refused(refusal('invalid-arguments', problem, 'Escape it, or search for the literal text.'));
  }
}

function placeAt(start: number, length: number): FoundPlace | null {
  return start === -1 ? null : { start, end: start + length };
}

/** The matching lines of a text, at most `limit`, yielding after each line. */
export function* searchLines(
  text: string,
  find: FindInLine,
  limit: number,
): Generator<undefined, readonly Omit<FoundLine, 'path'>[]> {
  const found: Omit<FoundLine, 'path'>[] = [];
  let number = 0;
  for (let start = 0; start < text.length && found.length < limit; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    const line = text.slice(start, text[next - 1] === '\r' && end !== -1 ? Math.max(start, next - 1) : next);
    const place = find(line);
    number += 1;
    if (place !== null) {
      found.push({ line: number, text: cutAround(line, place) });
    }
    start = next + 1;
    yield;
  }
  return found;
}

/** At most 400 characters of a line, with the match in the middle. */
function cutAround(line: string, { start, end }: FoundPlace): string {
  if (line.length <= maxLineCharacters) {
    return line;
  }
  const middle = Math.min((start + end) / 2, start + maxLineCharacters / 2);
  const wanted = Math.round(middle - maxLineCharacters / 2);
  const from = Math.max(0, Math.min(wanted, line.length - maxLineCharacters));
  const to = from + maxLineCharacters;
  return line.slice(splitsSurrogatePair(line, from) ? from + 1 : from, splitsSurrogatePair(line, to) ? to - 1 : to);
}
