import type { Replacement } from '../ports/workspace/file-steps.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { findText } from './find-occurrences.ts';
import { describeManyMatches, describeMiss, describeUnclear, type ReplacementFault } from './replacement-fault.ts';
import { findTrimmed, usualLineEnd, withLineEnd, withPlainLineEnds } from './trimmed-match.ts';

export type ReplacedText =
  | {
      readonly ok: true;
      readonly text: string;
      /** Sentences for a reader, such as that white space was not compared. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly fault: ReplacementFault };

/** Limits memory, if one frequent character is replaced by many. */
const maxPlaces = 100_000;
const maxCharacters = 20_000_000;

const mark = '\uFEFF';

/**
 * Applies replacements in order, each to the result of the one before, all or none. An old text must match literally; if it does not occur, with
 * other line ends; if still not, by whole lines without surrounding white space, provided that only one place matches and shows how to indent each
 * new line. New text gets the line ends of its place, unless either text contains a carriage return and the old one matched literally. A byte order
 * mark stays. Takes time linear in the length of the texts and in the number of replacements.
 */
export function replaceInText(text: string, replacements: readonly Replacement[]): ReplacedText {
  const keepsMark = text.startsWith(mark) && !replacements.some(({ oldText }) => oldText.startsWith(mark));
  let current = keepsMark ? text.slice(1) : text;
  const notes: string[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const about = { name: replacements.length === 1 ? 'The old text' : `Old text ${index + 1}`, original: text };
    const step = replaceOne(current, replacement, about);
    if (!step.ok) {
      return step;
    }
    current = step.text;
    notes.push(...step.notes);
  }
  return { ok: true, text: keepsMark ? mark + current : current, notes };
}

/** The name of the old text in messages, and the text before all replacements. */
type About = { readonly name: string; readonly original: string };

function replaceOne(text: string, replacement: Replacement, about: About): ReplacedText {
  const fault = judgeReplacement(replacement, about);
  if (fault !== null) {
    return { ok: false, fault };
  }
  return (
    replaceExactly(text, replacement, about) ??
    replaceAcrossLineEnds(text, replacement, about) ??
    replaceTrimmed(text, replacement, about) ?? { ok: false, fault: describeMiss({ text, replacement, ...about }) }
  );
}

function judgeReplacement({ oldText, newText }: Replacement, { name }: About): ReplacementFault | null {
  if (oldText === '') {
    const hint = 'Give the text to replace; to write a whole file, put it.';
    return { code: 'invalid-arguments', message: `${name} is empty.`, hint };
  }
  if (oldText === newText) {
    const hint = 'Leave this replacement out, or correct it.';
    return { code: 'invalid-arguments', message: `${name} and its new text are the same.`, hint };
  }
  return judgeElision(newText, oldText);
}

/** A piece of the text, and its replacement. */
type Piece = { readonly start: number; readonly end: number; readonly newText: string };

function replaceExactly(text: string, replacement: Replacement, about: About): ReplacedText | null {
  const { oldText, newText } = replacement;
  const found = findText(text, oldText, maxPlaces + 1).filter((start) => !splitsLineEnd(text, oldText, start));
  const starts = choosePlaces(found, replacement);
  if (starts.length === 0) {
    return null;
  }
  const hasReturn = oldText.includes('\r') || newText.includes('\r');
  const lineEnd = hasReturn || oldText.includes('\n') ? null : usualLineEnd(text);
  const written = lineEnd === null ? newText : withLineEnd(newText, lineEnd);
  const pieces = starts.map((start) => ({ start, end: start + oldText.length, newText: written }));
  return putPieces(text, pieces, replacement, about);
}

/** Whether the old text begins with the second half of `\r\n`. */
function splitsLineEnd(text: string, oldText: string, start: number): boolean {
  return oldText.startsWith('\n') && text[start - 1] === '\r';
}

function replaceAcrossLineEnds(text: string, replacement: Replacement, about: About): ReplacedText | null {
  const oldText = withLineEnd(replacement.oldText, '\n');
  if (!text.includes('\r\n') && oldText === replacement.oldText) {
    return null;
  }
  const plain = withPlainLineEnds(text);
  const starts = choosePlaces(findText(plain.text, oldText, maxPlaces + 1), { ...replacement, oldText });
  const places = plain.originals(starts.flatMap((start) => [start, start + oldText.length]));
  const pieces = starts.map((_, index) => {
    const [start = 0, end = 0] = places.slice(2 * index);
    const lineEnd = usualLineEnd(oldText.includes('\n') ? text.slice(start, end) : text);
    return { start, end, newText: withLineEnd(replacement.newText, lineEnd) };
  });
  return pieces.length === 0 ? null : putPieces(text, pieces, replacement, about);
}

/** Overlapping occurrences are ambiguous; if all are replaced, each begins after the one before it. */
function choosePlaces(starts: readonly number[], { oldText, all }: Replacement): readonly number[] {
  if (!all) {
    return starts;
  }
  let end = 0;
  return starts.filter((start) => {
    const isFree = start >= end;
    end = isFree ? start + oldText.length : end;
    return isFree;
  });
}

function putPieces(text: string, pieces: readonly Piece[], { all }: Replacement, about: About): ReplacedText {
  if (pieces.length > (all ? maxPlaces : 1)) {
    const starts = pieces.map(({ start }) => start);
    return { ok: false, fault: describeManyMatches({ text, starts, limit: all ? maxPlaces : 1, ...about }) };
  }
  const length = pieces.reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), text.length);
  if (length > maxCharacters) {
    const message = `With all replacements the file would have ${length} characters.`;
    return { ok: false, fault: { code: 'too-large', message, hint: 'Replace less, or by less.' } };
  }
  const parts: string[] = [];
  let place = 0;
  for (const { start, end, newText } of pieces) {
    parts.push(text.slice(place, start), newText);
    place = end;
  }
  return { ok: true, text: parts.join('') + text.slice(place), notes: [] };
}

function replaceTrimmed(text: string, replacement: Replacement, about: About): ReplacedText | null {
  const matches = findTrimmed(text, replacement, maxTrimmedPlaces);
  const [match] = matches;
  if (match === undefined) {
    return null;
  }
  if (matches.length > 1) {
    const starts = matches.map(({ start }) => start);
    return { ok: false, fault: describeManyMatches({ text, starts, limit: 1, isTrimmed: true, ...about }) };
  }
  const { firstLine, lastLine, newText } = match;
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  if (newText === null) {
    return { ok: false, fault: describeUnclear({ text, replacement, lines, ...about }) };
  }
  const note = `${about.name} was found at ${lines} only without the white space at both ends of lines: the new text got the indentation of the file.`;
  const replaced = putPieces(text, [{ ...match, newText }], replacement, about);
  return replaced.ok ? { ...replaced, notes: [note] } : replaced;
}

const maxTrimmedPlaces = 10;

/** Longer lines are not such remarks. */
const maxLineCharacters = 200;

const noun = `(?:${[
  'code|files?|functions?|methods?|class(?:es)?|contents?|implementations?|imports?|lines?|logic|body|tests?|fields?',
  'propert(?:y|ies)|entr(?:y|ies)|items?|definitions?|components?|config(?:uration)?|sections?|modules?|documents?|text',
  'rules?|styles?|routes?|handlers?|cases?|options?|settings?|scripts?|dependenc(?:y|ies)|statements?|elements?|rows?',
].join('|')})`;
const articles = '(?:(?:the|your|all|any|this|keep|and) ){0,3}';
const others = `${articles}(?:existing|remaining|previous|unchanged|other|original|unmodified|same)(?: [\\w-]+)? ${noun}`;
const rest = `${articles}(?:rest|remainder)(?: of(?: ${articles}(?:[\\w.-]+ )?${noun})?)?|everything else|${others}`;
const verb = '(?:is|are|remains?|stays?|goes|continues?)';
const state =
  '(?:unchanged|unmodified|untouched|omitted|elided|truncated|(?:the )?same(?: as (?:before|above))?|as (?:before|is|it was)|not shown|no changes?)';
const brevity = '(?: for (?:brevity|clarity))?';

/** Between dots, as in `... existing code ...`. */
const withDots = new RegExp(
  `^(?:(?:${rest})(?: ${verb})?(?: ${state})?(?: here| below| above)?|(?:${articles}${noun} )?${state})${brevity}$`,
);
/** In a comment, as in `// rest of the file unchanged`. */
const inComment = new RegExp(
  `^(?:(?:${rest}|${articles}${noun})(?: ${verb})? (?:${state}|here)|keep (?:${rest})|${state} (?:here|above|below))${brevity}$`,
);
const commentSign = /^(?:\/\/+|#+|\/\*+|\{\/\*|<!--+|--+|;+|%+|"""|''')\s*/;
const commentEnd = /(?:\*+\/\}?|--+>|"""|''')$/;

/**
 * Why a new text is refused that abbreviates lines, such as `// ... existing code ...`. Null if it does not, or if the old text has the same line.
 */
export function judgeElision(newText: string, oldText: string): ReplacementFault | null {
  const known = new Set(oldText.split('\n').map((line) => line.trim()));
  const lines = newText.split('\n').map((line) => line.trim());
  const elision = lines.find((line) => line.length <= maxLineCharacters && isElision(line) && !known.has(line));
  return elision === undefined
    ? null
    : {
        code: 'invalid-arguments',
        message: `The new text abbreviates lines: \`${escapeControls(elision)}\`. They are not filled in.`,
        hint: 'Write every line in full, or replace a smaller piece and leave the rest of the file alone.',
      };
}

/** Also at the end of a line of code. */
function isElision(line: string): boolean {
  const [, ...remarks] = line.split(/(?=\s(?:\/\/|#|\/\*|<!--|\{\/\*))/);
  return [line, ...remarks].some(isRemark);
}

function isRemark(text: string): boolean {
  const remark = text.trim();
  const plain = remark.replace(commentSign, '').replace(commentEnd, '');
  const words = plain.replace(/^[\s.…([<{*_-]+|[\s.…)\]>}*_:;,-]+$/g, '').replace(/\s+/g, ' ');
  const isComment = commentSign.test(remark);
  return (
    (/\.{3}|…/.test(remark) && withDots.test(words.toLowerCase())) || (isComment && inComment.test(words.toLowerCase()))
  );
}
