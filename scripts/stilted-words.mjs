// Finds stilted words in prose: Markdown, and the comments and strings of sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each with a plain word for it. What the look-aheads leave out is ordinary English: to stand for, behind a proxy, what they have sent. */
const stiltedWords = [
  { word: 'whoever', plain: 'anyone who, the person who', pattern: /\bwhoever\b/gi },
  { word: 'nobody', plain: 'no one, or name who does not', pattern: /\bnobody\b/gi },
  { word: 'anew', plain: 'again', pattern: /\banew\b/gi },
  { word: 'thereby', plain: 'by that, so', pattern: /\bthereby\b/gi },
  { word: 'whereof', plain: 'of which', pattern: /\bwhereof\b/gi },
  { word: 'stands', plain: 'is', pattern: /\bstands?\b(?! for\b|-| alone\b)/gi },
  {
    word: 'behind',
    plain: 'after',
    pattern:
      /\bbehind\b(?! (?:an? |the |its |our |that |each )?(?:reverse )?(?:\d|\$\{|prox|gateway|port\b|ports\b|interface|handle))/gi,
  },
  { word: 'beside', plain: 'next to, besides, and', pattern: /\bbeside\b/gi },
  {
    word: 'what is …',
    plain: 'the noun for it: "the limit", not "what is allowed"',
    pattern:
      /\bwhat (?:(?:it|they|he|she|we|you|that|this|the \w+|a \w+) )?(?:is|are|was|were|be|been)\b(?![^\n]*\?)/gi,
  },
  {
    word: 'where there',
    plain: 'if there, or the condition itself',
    pattern: /\bwhere (?:there|nothing|none|no \w+|it|they|one|each|both|neither)\b/gi,
  },
  {
    word: 'none as a predicate',
    plain: 'is missing, has no …, is not a …',
    pattern: /\b(?:is|are|was|were|be|been|has|have|had) none\b|\bnone (?:is|are|was|where|when)\b/gi,
  },
  {
    word: 'what … has',
    plain: 'the noun for it',
    pattern: /\bwhat (?:[\w'-]+ ){1,3}(?:has|have)\b(?! \w+(?:ed|en|nt|ut|id|ld|wn)\b)/gi,
  },
];

const comments = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const strings = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|${'`'}(?:\\[\s\S]|[^\\${'`'}])*${'`'}`;
const proseOfSources = new RegExp(`${comments}|${strings}`, 'g');
const codeOfMarkdown = /^( *)(```+)[^\n]*\n[\s\S]*?^\1\2 *$|`[^`\n]*`|\]\([^)\s]*\)/gm;

const passedOver = new Set(['node_modules', 'dist', 'recorded']);
/** They name the words on purpose. */
const ownFiles = new Set(['scripts/stilted-words.mjs', 'scripts/check-words.test.mjs']);

/** What is found, one entry an occurrence; `line` begins at 1. */
export function findStiltedWords(name, text) {
  return proseOf(name, text).flatMap(({ line, prose }) =>
    prose
      .split('\n')
      .flatMap((words, index) =>
        stiltedWords.flatMap(({ word, plain, pattern }) =>
          [...words.matchAll(pattern)].map(() => ({ line: line + index, word, plain, text: words.trim() })),
        ),
      ),
  );
}

/** All that is found below a directory; `name` has forward slashes. */
export function findInTree(directory) {
  return listFiles(directory, '').flatMap((name) =>
    findStiltedWords(name, readFileSync(join(directory, name), 'utf8')).map((found) => ({ name, ...found })),
  );
}

function proseOf(name, text) {
  if (name.endsWith('.md')) {
    return [{ line: 1, prose: text.replace(codeOfMarkdown, (code) => code.replace(/[^\n]/g, '')) }];
  }
  let line = 1;
  let end = 0;
  return [...text.matchAll(proseOfSources)].map((match) => {
    line += text.slice(end, match.index).split('\n').length - 1;
    end = match.index;
    return { line, prose: match[0] };
  });
}

function listFiles(directory, below) {
  return readdirSync(join(directory, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.') || passedOver.has(entry.name) || ownFiles.has(name)) {
      return [];
    }
    if (entry.isDirectory()) {
      return listFiles(directory, name);
    }
    return entry.isFile() && /\.(?:md|ts|mjs)$/.test(name) ? [name] : [];
  });
}
