import { describe, expect, it } from 'vitest';
import { leftOutEntry, pathsOf, type ResolveTree, sourceTree } from './context-resolver-harness.ts';

/** Which files a selection names, in which order, and how often. */
export function describeContextResolverOrder(resolve: ResolveTree): void {
  describe('order and duplicates', () => {
    it('files come first, then globs, then directories, each sorted by path', async () => {
      const { documents } = await resolve(sourceTree, {
        directories: ['src', 'docs'],
        globPatterns: ['*.ts'],
        files: ['src/z.ts', 'docs/x.md'],
      });
      expect(documents.map(({ path, origin }) => [path, origin])).toEqual([
        ['docs/x.md', 'file'],
        ['src/z.ts', 'file'],
        ['a.ts', 'glob'],
        ['b.ts', 'glob'],
        ['src/deep/er/y.ts', 'directory'],
      ]);
    });

    it('sorts whole paths, not directory by directory', async () => {
      const { documents } = await resolve({ 'a/b': '', 'a-b': '', 'a.b': '', ab: '' }, { directories: ['.'] });
      expect(pathsOf(documents)).toEqual(['a-b', 'a.b', 'a/b', 'ab']);
    });

    it('a file named in several ways is one document', async () => {
      const { documents, leftOut } = await resolve(sourceTree, {
        files: ['a.ts', './a.ts', 'src/../a.ts', 'a.ts'],
        globPatterns: ['a.ts', 'a.*'],
        directories: ['.', './'],
      });
      expect(pathsOf(documents).filter((path) => path === 'a.ts')).toHaveLength(1);
      expect(documents[0]).toEqual({ path: 'a.ts', text: 'a', sizeBytes: 1, origin: 'file' });
      expect(leftOut).toEqual([]);
    });

    it('a file that is left out is listed for each way in which it is named', async () => {
      const tree = { 'a.bin': Uint8Array.from([0]), 'b.txt': '' };
      const { leftOut } = await resolve(tree, {
        files: ['a.bin', './a.bin'],
        globPatterns: ['*'],
        directories: ['.'],
      });
      expect(leftOut).toEqual([leftOutEntry('a.bin', 'binary', 'file'), leftOutEntry('./a.bin', 'binary', 'file')]);
    });

    it('the same selection twice yields the same bundle', async () => {
      const wanted = { files: ['b.ts', 'none'], globPatterns: ['**/*.md'], directories: ['src'] };
      expect(await resolve(sourceTree, wanted)).toEqual(await resolve(sourceTree, wanted));
    });

    it('an empty selection yields an empty bundle', async () => {
      expect(await resolve(sourceTree, {})).toEqual({ documents: [], leftOut: [] });
    });
  });
}
