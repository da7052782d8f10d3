import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf, sourceTree } from './context-resolver-harness.ts';

/** What glob patterns match. */
export function describeContextResolverPatterns({ proof, resolve }: ContextResolverSubject): void {
  describe('patterns', () => {
    const matches: readonly (readonly [string, readonly string[]])[] = [
      ['*.ts', ['a.ts', 'b.ts']],
      ['**/*.ts', ['a.ts', 'b.ts', 'src/deep/er/y.ts', 'src/z.ts']],
      ['src/*', ['src/z.ts']],
      ['src/**', ['src/deep/er/y.ts', 'src/z.ts']],
      ['src/**/er/?.ts', ['src/deep/er/y.ts']],
      ['./a.ts', ['a.ts']],
      ['**', ['a.ts', 'b.ts', 'docs/x.md', 'src/deep/er/y.ts', 'src/z.ts']],
      ['{a,b}.ts', ['a.ts', 'b.ts']],
      ['**/*.{md,none}', ['docs/x.md']],
      ['{docs,src}/{x,deep/{er,none}/y}.*', ['docs/x.md', 'src/deep/er/y.ts']],
      ['{a,b,a}.ts', ['a.ts', 'b.ts']],
    ];
    for (const [pattern, expected] of matches) {
      proof.promise(`${pattern} matches ${expected.join(', ')}`, async () => {
        const { documents, leftOut } = await resolve(sourceTree, { globPatterns: [pattern] });
        expect(pathsOf(documents)).toEqual(expected);
        expect(leftOut).toEqual([]);
      });
    }

    for (const pattern of ['*', '?.t', '?ts', '*.TS', 'A.ts', 'src', 'ts', '{A,c}.ts', '*/deep/*', 'a?.ts']) {
      proof.promise(`${pattern} matches neither a-b/c.ts nor a.ts/x`, async () => {
        const tree = { 'a-b/c.ts': 'c', 'a.ts/x': 'x' };
        const { documents, leftOut } = await resolve(tree, { globPatterns: [pattern] });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([leftOutEntry(pattern, 'pattern-without-match', 'glob')]);
      });
    }

    proof.promise('the case of a pattern matters', async () => {
      const { documents } = await resolve({ 'a.ts': '1', 'b.TS': '2' }, { globPatterns: ['*.TS', '?A.*'] });
      expect(pathsOf(documents)).toEqual(['b.TS']);
    });

    proof.promise(
      'a dot matches a dot, a question mark one character, a pattern the whole name, in its case',
      async () => {
        const tree = { 'a.ts': '1', axts: '2', 'aa.ts': '3', 'A.ts-x': '4', 'x-a.ts': '5', 'a.tsx': '6', 'b.TS': '7' };
        expect(pathsOf((await resolve(tree, { globPatterns: ['a.ts'] })).documents)).toEqual(['a.ts']);
        expect(pathsOf((await resolve(tree, { globPatterns: ['?.ts'] })).documents)).toEqual(['a.ts']);
        expect(pathsOf((await resolve(tree, { globPatterns: ['*.ts'] })).documents)).toEqual([
          'a.ts',
          'aa.ts',
          'x-a.ts',
        ]);
      },
    );

    proof.promise('wildcards skip hidden files and directories unless the pattern spells out the dot', async () => {
      const tree = { '.hidden': '1', '.config/x': '2', 'a/.b': '3', c: '4' };
      expect(pathsOf((await resolve(tree, { globPatterns: ['**/*', '**'] })).documents)).toEqual(['c']);
      expect(pathsOf((await resolve(tree, { globPatterns: ['.h*', '.config/*'] })).documents)).toEqual([
        '.config/x',
        '.hidden',
      ]);
    });

    for (const pattern of ['', '!a.ts', '!**']) {
      proof.promise(`${JSON.stringify(pattern)} is refused, and does not match all other files`, async () => {
        const { documents, leftOut } = await resolve(sourceTree, { globPatterns: [pattern] });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([leftOutEntry(pattern, 'pattern-refused', 'glob')]);
      });
    }
  });
}
