import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { wantMatches } from '../walk/entry-filter.ts';
import { parseGlobPattern } from './glob-pattern.ts';

/** The directories and programs of a pattern, the latter as their lengths. */
function shape(source: string): unknown {
  const parsed = parseGlobPattern(source);
  return parsed.ok
    ? parsed.pattern.branches.map(({ directory, program }) => [directory, program.length])
    : parsed.problem;
}

/** Matches a path as a walk does: name by name, from the literal prefix of the pattern. */
function matches(source: string, path: string): boolean {
  const parsed = parseGlobPattern(source);
  if (!parsed.ok) {
    throw new Error(parsed.problem);
  }
  return parsed.pattern.branches.some((branch) => {
    const prefix = branch.directory === '' ? '' : `${branch.directory}/`;
    const names = path.slice(prefix.length).split('/');
    const above = names.slice(0, -1);
    const filter = above.reduce<ReturnType<typeof wantMatches> | null>(
      (wanted, name) => wanted?.enter(name) ?? null,
      wantMatches([{ source, branch }]),
    );
    return path.startsWith(prefix) && (filter?.sourcesOf(names.at(-1) ?? '').length ?? 0) > 0;
  });
}

describe('parseGlobPattern', () => {
  it.each([
    ['*.ts', [['', 1]]],
    ['src/lib/*.ts', [['src/lib', 1]]],
    ['src/lib/a.ts', [['src/lib', 1]]],
    ['./src//./*.ts', [['src', 1]]],
    ['/abs/dir/**', [['/abs/dir', 1]]],
    ['/**', [['/', 1]]],
    ['../up/*', [['../up', 1]]],
    ['**/**/**/a/**/**', [['', 3]]],
    ['a\\*b/c*', [['a*b', 1]]],
    ['a\\/b/*', [['a/b', 1]]],
    ['{a,b}/*', [['', 2]]],
    [
      '{a/b,c}/d*',
      [
        ['a/b', 1],
        ['c', 1],
      ],
    ],
    [
      'x/{a,b/{c,d}}.ts',
      [
        ['x', 1],
        ['x/b', 1],
      ],
    ],
    ['{a/b}/c', [['{a/b}', 1]]],
  ])('%s begins at %j', (source, expected) => {
    expect(shape(source)).toEqual(expected);
  });

  it.each([
    ['', 'an empty pattern'],
    ['!a', 'a leading "!"'],
    ['a'.repeat(4_097), 'longer than 4096 characters'],
    ['{a,b}'.repeat(129), 'more than 128 brackets'],
    ['{a/,b/}'.repeat(7), 'braces that stand for more than 64 patterns'],
    ['{1..300}', 'a range of more than 256 items'],
    ['{1..10..0}', 'a range of more than 256 items'],
    ['{1..200}{1..200}', 'more than 512 characters and wildcards in one name'],
    ['@('.repeat(10) + ')'.repeat(10), 'groups nested more than 8 deep'],
    ['{'.repeat(20) + 'a,b}'.repeat(20), 'groups nested more than 8 deep'],
    ['a!(*|*|*|*|*|*|*|*|*)', 'more than 8 repetitions and a negation in one name'],
    ['@(a/b)', 'a group that is not closed before the next separator'],
    ['*/../x', '".." after a wildcard or at the end'],
    ['a/..', '".." after a wildcard or at the end'],
    ['./', 'it does not name a file'],
    ['/', 'it does not name a file'],
  ])('%s is refused: %s', (source, problem) => {
    expect(shape(source)).toBe(problem);
  });

  it.each([
    ['**/x', 'x', true],
    ['**/x', 'a/b/x', true],
    ['**/x', 'a/.b/x', false],
    ['a/**', 'a', false],
    ['a/**', 'a/b/c', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a**b/c', 'axxb/c', true],
    ['a**b/c', 'a/b/c', false],
    ['*/*', 'a', false],
    ['{a/b,c}/d', 'c/d', true],
    ['**/.env', 'a/.env', true],
    ['{**/,}x', 'a/x', true],
  ])('%s on %s: %s', (source, path, expected) => {
    expect(matches(source, path)).toBe(expected);
  });

  it('agrees with picomatch on paths', () => {
    const segment = fc.constantFrom('a', 'b', '*', '**', '?', 'a*', '*b', '{a,b}', '[ab]', '.a', '.*', 'a.{b,c}');
    const pattern = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
    const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'a.c', 'aab');
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(pattern, path, (source, file) => {
        // In picomatch `a/**` also matches `a`, which cannot be a file if something lies below it.
        const expected = picomatch.isMatch(file, source.endsWith('**') ? `${source}/*` : source);
        expect([source, file, matches(source, file)]).toEqual([source, file, expected]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('GLOB-02: parses or refuses anything, in time', () => {
    const hostile = fc
      .array(
        fc.constantFrom('{', '}', ',', '[', ']', '(', ')', '|', '*', '?', '!', '+', '@', '\\', '/', '.', 'a', '..'),
        {
          maxLength: 200,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 20 }), (part, times) => {
        const source = part.repeat(times);
        const parsed = parseGlobPattern(source);
        if (parsed.ok) {
          matches(source, `${'a'.repeat(250)}/${'a/'.repeat(20)}${'a'.repeat(250)}b`);
        }
        expect(typeof parsed.ok).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });
});
