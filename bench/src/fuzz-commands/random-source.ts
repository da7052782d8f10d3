/** Whole numbers from 0 up to and without `below`, the same ones for the same seed. */
export type PickNumber = (below: number) => number;

/** Mulberry32: short, fast, and even enough to choose tokens by. */
export function createPickNumber(seed: number): PickNumber {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What Bash gives a meaning to, and what it is made to be confused with; `rec` and `nok` are programs that succeed and fail. */
const tokens: readonly string[] = [
  ...[
    'rec ',
    'rec ',
    'rec ',
    'rec',
    'nok ',
    'nok',
    ' ',
    ' ',
    ' ',
    '\n',
    '\t',
    '&&',
    '||',
    ' && ',
    ' || ',
    ';',
    '; ',
    '|',
  ],
  ...[
    '&',
    '|&',
    'a',
    'b',
    'a b',
    '"',
    '"',
    "'",
    "'",
    '"a b"',
    "'a b'",
    '\\',
    '\\\n',
    '\\"',
    "\\'",
    '$',
    '${',
    '}',
    '{',
    '`',
  ],
  ...[
    '$(',
    ')',
    '(',
    '((',
    '))',
    '[[',
    ']]',
    '[',
    ']',
    '*',
    '?',
    '!',
    '#',
    ' #',
    '~',
    '=',
    'A=',
    'B=1 ',
    'A=x ',
    '>',
    '<',
  ],
  ...[
    '>>',
    ' > f ',
    ' < f ',
    '2>&1',
    ' 2>f',
    '>&2',
    '&>f',
    '<<E\n',
    '\nE\n',
    '<<<',
    '>(',
    '<(',
    '$"',
    "$'",
    '@(',
    '+(',
    '{a,b}',
  ],
  ...[
    'if',
    'then',
    'fi',
    'do',
    'done',
    'for',
    'in',
    'while',
    'case',
    'esac',
    'function',
    'time',
    'coproc',
    'cd ',
    'cd f && ',
  ],
  ...[
    'é',
    '漢',
    '\u00a0',
    '\u2028',
    '\r',
    '%',
    '^',
    ',',
    '.',
    '/',
    '-',
    '--',
    '-n',
    ':',
    '\\\\',
    'x=y',
    '$A',
    '"$A"',
    '~/x',
  ],
];

/** A command line that may make no sense at all. */
export function randomCommand(pick: PickNumber): string {
  const count = 1 + pick(12);
  // Most begin with a program: what does not is refused at once.
  const first = pick(4) === 0 ? '' : 'rec ';
  return first + Array.from({ length: count }, () => tokens[pick(tokens.length)] ?? '').join('');
}
