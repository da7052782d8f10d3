import type { CharacterClass } from './name-pattern.ts';

type Range = readonly [from: number, to: number];

const namedClasses: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  blank: '  \t\t',
  cntrl: '\u0000\u001f\u007f\u007f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  xdigit: '09AFaf',
};

export type ParsedClass = {
  readonly element: CharacterClass;
  /** The index after the closing bracket. */
  readonly end: number;
};

/** Reads the class whose `[` is at `start`; null if it is never closed. */
export function parseCharacterClass(characters: readonly string[], start: number): ParsedClass | null {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const ranges: Range[] = [];
  let at = first;
  while (at < characters.length) {
    // A leading closing bracket is a member: `[]a]`.
    if (characters[at] === ']' && at > first) {
      return { element: { kind: 'class', negated, ranges }, end: at + 1 };
    }
    const member = parseNamedClass(characters, at) ?? parseRange(characters, at);
    ranges.push(...member.ranges);
    at = member.end;
  }
  return null;
}

type Member = { readonly ranges: readonly Range[]; readonly end: number };

function parseNamedClass(characters: readonly string[], at: number): Member | null {
  if (characters[at] !== '[' || characters[at + 1] !== ':') {
    return null;
  }
  const name = characters.slice(at + 2, at + 9).join('');
  const bounds = namedClasses[/^([a-z]+):\]/.exec(name)?.[1] ?? ''];
  if (bounds === undefined) {
    return null;
  }
  const ranges: Range[] = [];
  for (let index = 0; index < bounds.length; index += 2) {
    ranges.push([bounds.charCodeAt(index), bounds.charCodeAt(index + 1)]);
  }
  return { ranges, end: at + 2 + name.indexOf(':]') + 2 };
}

function parseRange(characters: readonly string[], at: number): Member {
  const from = parseMember(characters, at);
  const upper = characters[from.end + 1];
  if (characters[from.end] !== '-' || upper === undefined || upper === ']') {
    return { ranges: [[from.codePoint, from.codePoint]], end: from.end };
  }
  const to = parseMember(characters, from.end + 1);
  return { ranges: [[from.codePoint, to.codePoint]], end: to.end };
}

function parseMember(characters: readonly string[], at: number): { readonly codePoint: number; readonly end: number } {
  const isEscape = characters[at] === '\\' && at + 1 < characters.length;
  const index = isEscape ? at + 1 : at;
  return { codePoint: characters[index]?.codePointAt(0) ?? 0, end: index + 1 };
}
