import { describe, expect, it } from 'vitest';
import { leftOutEntry, pathsOf, type ResolveTree, sourceTree } from './context-resolver-harness.ts';

/** What glob patterns match. */
export function describeContextResolverPatterns(resolve: ResolveTree): void {
  describe('patterns', () => {
    it.each([
      ['*.ts', ['a.ts', 'b.ts']],
      ['**/*.ts', ['a.ts', 'b.ts', 'src/deep/er/y.ts', 'src/z.ts']],
      ['src/*', ['src/z.ts']],
      ['src/**', ['src/deep/er/y.ts', 'src/z.ts']],
      ['src/**/er/?.ts', ['src/deep/er/y.ts']],
      ['./a.ts', ['a.ts']],
      ['**', ['a.ts', 'b.ts', 'docs/x.md', 'src/deep/er/y.ts', 'src/z.ts']],
    ])('%s matches %j', async (pattern, expected) => {
      const { documents, leftOut } = await resolve(sourceTree, { globPatterns: [pattern] });
      expect(pathsOf(documents)).toEqual(expected);
      expect(leftOut).toEqual([]);
    });

    it('wildcards pass over hidden files and directories unless the pattern spells out the dot', async () => {
      const tree = { '.hidden': '1', '.config/x': '2', 'a/.b': '3', c: '4' };
      expect(pathsOf((await resolve(tree, { globPatterns: ['**/*', '**'] })).documents)).toEqual(['c']);
      expect(pathsOf((await resolve(tree, { globPatterns: ['.h*', '.config/*'] })).documents)).toEqual([
        '.config/x',
        '.hidden',
      ]);
    });

    it.each(['', '!a.ts', '!**'])('%j is refused, not turned round', async (pattern) => {
      const { documents, leftOut } = await resolve(sourceTree, { globPatterns: [pattern] });
      expect(documents).toEqual([]);
      expect(leftOut).toEqual([leftOutEntry(pattern, 'pattern-refused', 'glob')]);
    });
  });
}
