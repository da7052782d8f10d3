import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentRules } from './deny-other-arguments.ts';

/** As the policy of Gemini CLI 0.61.0 writes down the arguments of a call. */
function written(args: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(args)
    .sort()
    .map((name) => `\0${JSON.stringify(name)}:${JSON.stringify(args[name])}\0`);
  return `{${pairs.join(',')}}`;
}

function isDenied(toolName: string, args: Readonly<Record<string, unknown>>): boolean {
  return argumentRules.some((rule) => rule.toolName === toolName && new RegExp(rule.argsPattern).test(written(args)));
}

describe('patterns of names', () => {
  it.each([
    ...[
      '**/*',
      '*.md',
      'src/**/*.ts',
      '**/*.{ts,tsx}',
      'docs/[a-z]*/[!x]?.md',
      '.github/**',
      'a b/ä-ö_1.txt',
      '.env.example',
    ],
    ...[
      'app/(group)/[id]/page.tsx',
      '**/test_*.py',
      'packages/*/src/{index,main}.ts',
      'a+b@c#d$e%f&g;h=i.txt',
      './src/*',
    ],
  ])('PATTERN-01: %s is allowed', (pattern) => {
    expect(isDenied('glob', { pattern })).toBe(false);
    expect(isDenied('grep_search', { pattern: 'x', include_pattern: pattern })).toBe(false);
  });

  it.each([
    ...[
      '../**/*',
      'x/../../*',
      '{..,x}/*',
      '{.,x}{.,x}/*',
      '.{.,x}/*',
      '.{x,}./*',
      '{x/.,x}./*',
      '/etc/*',
      '{/etc,x}/*',
      '{,x}/etc/*',
    ],
    ...[
      '[.][.]/*',
      '.[.]/*',
      '[.].*',
      '[.-.][.-.]/*',
      '[-.][-.]/*',
      '[+-9][+-9]/*',
      '[[:punct:]][[:punct:]]/*',
      '[^a][^a]/*.[.]',
    ],
    ...[
      '{[,x}.].*',
      '{[.,x}][.]/*',
      '[{.,x}].*',
      '\\.\\./*',
      '@(.)@(.)/*',
      '+(.)/*',
      '*(.)/*',
      '!(a)/*',
      '?(.).*',
      '!../*',
      'C:/*',
      'C:\\*',
    ],
    ...[
      'a\0b',
      'a\nb',
      '"',
      '',
      '{1..100000000}',
      '{a,b}'.repeat(25),
      '*a'.repeat(25),
      `${'*'.repeat(11)}`,
      'x'.repeat(301),
    ],
  ])('PATTERN-01: %j is denied', (pattern) => {
    expect(isDenied('glob', { pattern })).toBe(true);
    expect(isDenied('grep_search', { pattern: 'x', include_pattern: pattern })).toBe(true);
  });

  it('PATTERN-01: no allowed pattern without stars and classes means a name that leads up or begins at the root', () => {
    const parts = fc.constantFrom('.', '..', '/', '{', '}', ',', '[', ']', 'a', '-', '!', '(', ')', '@');
    const leadsOut = (names: readonly string[]): boolean =>
      names.some((name) => name.startsWith('/') || name.split('/').includes('..'));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (chosen) => {
        const pattern = chosen.join('');
        expect(!isDenied('glob', { pattern }) && leadsOut(meanings(pattern))).toBe(false);
      }),
      { numRuns: 20_000 },
    );
  });
});

/** What a pattern means once its choices and its classes of one character are taken for what they are. */
function meanings(pattern: string): readonly string[] {
  const choice = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (choice !== null) {
    const [whole, parts = ''] = choice;
    return parts.split(',').flatMap((part) => meanings(pattern.replace(whole, () => part)));
  }
  return [pattern.replaceAll(/\[(.)(?:-\1)?\]/g, '$1')];
}

describe('regular expressions', () => {
  it.each([
    ...[
      'TODO',
      'foo|bar',
      'function\\s+\\w+\\(',
      '(async )?function',
      'class (\\w+) extends',
      '^import .* from',
      'a{2,10}',
      '"x"',
    ],
    ...['\\$\\{.*\\}', 'café', '[^)]*\\)', 'interface \\w+ \\{', '.*--flag'],
  ])('PATTERN-05: %s is allowed', (pattern) => {
    expect(isDenied('grep_search', { pattern })).toBe(false);
    expect(isDenied('grep_search', { pattern: 'x', exclude_pattern: pattern })).toBe(false);
  });

  it.each([
    ...['(a+)+$', '(a|a)*b', '([a-z]+)*!', '((a)+)+', '(?:a+)+$', '(x+x+)+y', '(a{1,9}){1,9}', '(.*)*\\1x'],
    ...[
      '(?=a)b',
      '(?!a)b',
      '(?<=a)b',
      '(?<!a)b',
      '(?<n>a)\\k<n>',
      '(a)\\1',
      'a{1000}',
      'a{1,1000}',
      '-f/etc/passwd',
      '--file=x',
    ],
    ...['', 'x'.repeat(1_001)],
  ])('PATTERN-05: %s is denied', (pattern) => {
    expect(isDenied('grep_search', { pattern })).toBe(true);
    expect(isDenied('grep_search', { pattern: 'x', exclude_pattern: pattern })).toBe(true);
  });
});

describe('other arguments', () => {
  it.each([
    ['glob', { pattern: '*', dir_path: 'src', case_sensitive: true, wait_for_previous: false }],
    ['grep_search', { pattern: 'x', names_only: true, total_max_matches: 100, context: 3 }],
    ['list_directory', { dir_path: '.', ignore: ['*.log'], file_filtering_options: { respect_git_ignore: false } }],
    ['read_file', { file_path: 'a "b".txt', start_line: 1, end_line: 20 }],
  ])('PATTERN-02: %s may be given %o', (toolName, args) => {
    expect(isDenied(toolName, args)).toBe(false);
  });

  it.each([
    ['glob', { pattern: ['../*'] }],
    ['glob', { pattern: { toString: '../*' } }],
    ['glob', { pattern: '*', path: '/etc' }],
    ['glob', { pattern: '*', 'dir_path":"x"\0,\0"pattern': '../*' }],
    ['glob', { pattern: '*', dir_path: ['..'] }],
    ['glob', { pattern: '*', '': '' }],
    ['glob', { pattern: '\u002e\u002e/*' }],
    ['grep_search', { pattern: ['(a+)+$'] }],
    ['grep_search', { pattern: 'x', exclude_pattern: null }],
    ['grep_search', { pattern: 'x', names_only: '--help' }],
    ['grep_search', { pattern: 'x', max_matches_per_file: '1 -f/etc/passwd' }],
    ['grep_search', { pattern: 'x', include_pattern: ['../*'] }],
    ['list_directory', { dir_path: '.', ignore: '../*' }],
    ['list_directory', { dir_path: '.', ignore: ['*a'.repeat(400)] }],
    ['read_file', { file_path: 'a', start_line: -1 }],
    ['read_file', { file_path: 'a', encoding: 'x' }],
  ])('PATTERN-02: %s may not be given %j', (toolName, args) => {
    expect(isDenied(toolName, args)).toBe(true);
  });
});

it('PATTERN-03: the rules are ones that the CLI takes', () => {
  for (const { argsPattern } of argumentRules) {
    expect(argsPattern.length).toBeLessThanOrEqual(2_048);
    // What Gemini CLI 0.61.0 holds for unsafe.
    expect(argsPattern).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/);
    expect(argsPattern).not.toContain("'");
  }
});
