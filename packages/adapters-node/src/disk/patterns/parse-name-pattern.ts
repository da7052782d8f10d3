import { scanBraces } from './brace-scan.ts';
import { parseCharacterClass } from './character-class.ts';
import type { Group, NameElement, NamePattern } from './name-pattern.ts';

/** No one writes a longer list by hand. */
const maxRangeItems = 256;

const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/;

/** `ignore` is the dialect of .gitignore: `*`, `?`, `[...]` and `\`. `glob` adds braces and groups such as `!(a|b)`. */
export type PatternDialect = 'glob' | 'ignore';

export type ParsedName =
  | { readonly ok: true; readonly pattern: NamePattern }
  /** `problem` names in a few words the rule that the pattern breaks. */
  | { readonly ok: false; readonly problem: string };

/** Keeps one match within milliseconds, for names of up to 255 characters. */
const maxElements = 512;
/** A negation may be tried from every place in the name and runs as far as its repetitions do. */
const maxRepetitionsWithNegation = 8;
const maxDepth = 8;

const repeatsOf: Readonly<Record<string, Group['repeats']>> = {
  '@': 'one',
  '?': 'optional',
  '*': 'any',
  '+': 'some',
  '!': 'none',
};

/** Parses one segment of a pattern: a text without separators. */
export function parseNamePattern(text: string, dialect: PatternDialect): ParsedName {
  const parser = new NamePatternParser(Array.from(text), dialect);
  const pattern = parser.parseUntil('');
  return parser.problem === null ? { ok: true, pattern } : { ok: false, problem: parser.problem };
}

/** One pass over one text. After the first problem, its results are meaningless. */
class NamePatternParser {
  readonly #characters: readonly string[];
  readonly #dialect: PatternDialect;
  readonly #depth: number;
  #at = 0;
  #elements = 0;
  #repetitions = 0;
  #hasNegation = false;
  #problem: string | null = null;

  constructor(characters: readonly string[], dialect: PatternDialect, depth = 0) {
    this.#characters = characters;
    this.#dialect = dialect;
    this.#depth = depth;
    if (depth > maxDepth) {
      this.#fail(`groups nested more than ${maxDepth} deep`);
    }
  }

  get problem(): string | null {
    return this.#problem;
  }

  parseUntil(terminators: string): NamePattern {
    const elements: NameElement[] = [];
    while (this.#problem === null && this.#at < this.#characters.length) {
      const character = this.#characters[this.#at] ?? '';
      if (terminators.includes(character)) {
        return elements;
      }
      const element = this.#parseElement(character);
      // `**` inside a name means the same as `*`.
      if (element.kind !== 'run' || elements.at(-1)?.kind !== 'run') {
        elements.push(element);
        this.#count(element);
      }
    }
    return elements;
  }

  #parseElement(character: string): NameElement {
    if (character === '\\') {
      return this.#parseEscape();
    }
    if (character === '[') {
      return this.#parseClass();
    }
    const group = this.#dialect === 'glob' ? this.#parseGroup(character) : null;
    if (group !== null) {
      return group;
    }
    this.#at += 1;
    if (character === '*') {
      return { kind: 'run' };
    }
    return character === '?' ? { kind: 'one' } : { kind: 'literal', character };
  }

  #parseEscape(): NameElement {
    const escaped = this.#characters[this.#at + 1];
    this.#at += 2;
    if (escaped === undefined && this.#dialect === 'ignore') {
      this.#fail('a backslash at the end');
    }
    return { kind: 'literal', character: escaped ?? '\\' };
  }

  #parseClass(): NameElement {
    const parsed = parseCharacterClass(this.#characters, this.#at);
    if (parsed === null && this.#dialect === 'ignore') {
      this.#fail('an open bracket');
    }
    this.#at = parsed?.end ?? this.#at + 1;
    return parsed?.element ?? { kind: 'literal', character: '[' };
  }

  #parseGroup(character: string): Group | null {
    const repeats = this.#characters[this.#at + 1] === '(' ? repeatsOf[character] : undefined;
    if (repeats !== undefined) {
      return this.#parseParentheses(repeats);
    }
    return character === '{' ? this.#parseBraces() : null;
  }

  #parseParentheses(repeats: Group['repeats']): Group {
    const inner = new NamePatternParser(this.#characters, this.#dialect, this.#depth + 1);
    inner.#at = this.#at + 2;
    const alternatives = [inner.parseUntil('|)')];
    while (inner.#characters[inner.#at] === '|') {
      inner.#at += 1;
      alternatives.push(inner.parseUntil('|)'));
    }
    if (inner.#at >= this.#characters.length) {
      inner.#fail('a group that is not closed before the next separator');
    }
    this.#absorb(inner);
    this.#at = inner.#at + 1;
    return { kind: 'group', repeats, alternatives };
  }

  #parseBraces(): Group | null {
    const braces = scanBraces(this.#characters, this.#at);
    const [only = '', ...others] = braces?.parts ?? [];
    const range = others.length === 0 ? expandBraceRange(only) : null;
    // `{a}` and an unclosed brace are literal, as in a shell.
    if (braces === null || (others.length === 0 && range === null)) {
      return null;
    }
    if (range?.ok === false) {
      this.#fail('a range of more than 256 items');
    }
    const parts = range?.ok === true ? range.items : braces.parts;
    this.#at = braces.close + 1;
    return { kind: 'group', repeats: 'one', alternatives: parts.map((part) => this.#parsePart(part)) };
  }

  #parsePart(text: string): NamePattern {
    const part = new NamePatternParser(Array.from(text), this.#dialect, this.#depth + 1);
    const pattern = part.parseUntil('');
    this.#absorb(part);
    return pattern;
  }

  #absorb(inner: NamePatternParser): void {
    this.#elements += inner.#elements;
    this.#repetitions += inner.#repetitions;
    this.#hasNegation ||= inner.#hasNegation;
    this.#problem ??= inner.#problem;
  }

  #count(element: NameElement): void {
    const repeats = element.kind === 'group' ? element.repeats : element.kind;
    this.#elements += 1;
    this.#repetitions += repeats === 'run' || repeats === 'any' || repeats === 'some' ? 1 : 0;
    this.#hasNegation ||= repeats === 'none';
    if (this.#elements > maxElements) {
      this.#fail(`more than ${maxElements} characters and wildcards in one name`);
    }
    if (this.#hasNegation && this.#repetitions > maxRepetitionsWithNegation) {
      this.#fail(`more than ${maxRepetitionsWithNegation} repetitions and a negation in one name`);
    }
  }

  #fail(problem: string): void {
    this.#problem ??= problem;
  }
}

type BraceRange = { readonly ok: true; readonly items: readonly string[] } | { readonly ok: false };

/** The items of `1..10`, `01..10..3` or `a..e`; null if the text is not a range; not `ok` if the range is too long. */
function expandBraceRange(text: string): BraceRange | null {
  const asNumbers = numbers.exec(text);
  const match = asNumbers ?? letters.exec(text);
  const [, from, to, step] = match ?? [];
  if (from === undefined || to === undefined) {
    return null;
  }
  const isNumeric = asNumbers !== null;
  const values = countFromTo(
    isNumeric ? Number(from) : from.charCodeAt(0),
    isNumeric ? Number(to) : to.charCodeAt(0),
    Number(step ?? 1),
  );
  if (values === null) {
    return { ok: false };
  }
  const width = [from, to].some((bound) => /^-?0\d/.test(bound)) ? Math.max(from.length, to.length) : 0;
  return { ok: true, items: values.map((value) => (isNumeric ? padNumber(value, width) : String.fromCharCode(value))) };
}

function countFromTo(from: number, to: number, step: number): number[] | null {
  const isCountable = Number.isSafeInteger(from) && Number.isSafeInteger(to) && step >= 1;
  const length = Math.floor(Math.abs(to - from) / step) + 1;
  if (!isCountable || length > maxRangeItems) {
    return null;
  }
  return Array.from({ length }, (_, index) => from + Math.sign(to - from) * step * index);
}

function padNumber(value: number, width: number): string {
  const digits = String(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  return sign + digits.padStart(width - sign.length, '0');
}
