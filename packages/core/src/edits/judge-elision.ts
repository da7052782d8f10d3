import { escapeControls } from '../shown-text/escape-controls.ts';
import type { ReplacementFault } from './replacement-fault.ts';

/** Longer lines are no such remarks. */
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
 * Why a new text is not written that has a line in the place of others, such as `// ... existing code ...`. Null if it has none, or the old text has
 * the same line.
 */
export function judgeElision(newText: string, oldText: string): ReplacementFault | null {
  const known = new Set(oldText.split('\n').map((line) => line.trim()));
  const lines = newText.split('\n').map((line) => line.trim());
  const elision = lines.find((line) => line.length <= maxLineCharacters && isElision(line) && !known.has(line));
  return elision === undefined
    ? null
    : {
        code: 'invalid-arguments',
        message: `The new text has a line in the place of others: \`${escapeControls(elision)}\`. Nothing is filled in for it.`,
        hint: 'Write every line that is to be there, or replace a smaller piece and leave the rest of the file alone.',
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
