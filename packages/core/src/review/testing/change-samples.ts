/** A change of one file, with a defect or without one. */
export type ChangeSample = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** A line that the change brings, as the file has it. */
  readonly changedLine: string;
  /** The defect; null for a sound change. */
  readonly fault: string | null;
};

/** The same small function in several languages: how it begins, a line that may be changed, and how it ends. */
const languages: readonly {
  readonly ending: string;
  readonly head: string;
  readonly tail: string;
  readonly comment: string;
}[] = [
  { ending: 'ts', head: 'export function take(list: number[], count: number) {\n', tail: '}\n', comment: '//' },
  { ending: 'py', head: 'def take(values, count):\n', tail: '\n', comment: '#' },
  { ending: 'go', head: 'package take\n\nfunc Take(list []int, count int) []int {\n', tail: '}\n', comment: '//' },
  { ending: 'rs', head: 'pub fn take(list: &[i64], count: usize) -> Vec<i64> {\n', tail: '}\n', comment: '//' },
  {
    ending: 'java',
    head: 'class Take {\n  static int[] take(int[] list, int count) {\n',
    tail: '  }\n}\n',
    comment: '//',
  },
  { ending: 'rb', head: 'def take(list, count)\n', tail: 'end\n', comment: '#' },
  { ending: 'sql', head: 'CREATE FUNCTION take() RETURNS int AS $$\n', tail: '$$ LANGUAGE sql;\n', comment: '--' },
  { ending: 'sh', head: 'take() {\n', tail: '}\n', comment: '#' },
];

/** A line before, the sound line after, the faulty one, and its fault. */
const edits: readonly (readonly [before: string, sound: string, faulty: string, fault: string])[] = [
  ['    limit = count', '    limit = min(count, size)', '    limit = count + 1', 'One element too many is taken.'],
  [
    '    open(path)',
    '    open(path) ; close_later(path)',
    '    open(path) ; open(path)',
    'The second handle is never closed.',
  ],
  ['    check(user)', '    check(user) ; log(user)', '    check(user) ; log(password)', 'The log has the password.'],
  ['    total += price', '    total += price * amount', '    total =+ price', 'The total is overwritten.'],
  ['    retry(3)', '    retry(limit)', '    retry(-1)', 'It is retried for ever.'],
];

/** Changes with a planted defect, and sound ones: one of each for every language and every edit. */
export const changeSamples: readonly ChangeSample[] = languages.flatMap(({ ending, head, tail, comment }) =>
  edits.flatMap(([before, sound, faulty, fault], index) => {
    const fileOf = (line: string): string => {
      const filler = Array.from({ length: 12 }, (_, place) => `    ${comment} step ${place + 1} of ${index + 1}\n`);
      return `${head}${filler.slice(0, 6).join('')}${line}\n${filler.slice(6).join('')}${tail}`;
    };
    return [
      {
        path: `src/sound_${index}.${ending}`,
        before: fileOf(before),
        after: fileOf(sound),
        changedLine: sound,
        fault: null,
      },
      {
        path: `src/faulty_${index}.${ending}`,
        before: fileOf(before),
        after: fileOf(faulty),
        changedLine: faulty,
        fault,
      },
    ];
  }),
);
