import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf, sourceTree } from './context-resolver-harness.ts';

/** Which files a selection names, their order, and duplicates. */
export function describeContextResolverOrder({ proof, resolve }: ContextResolverSubject): void {
  describe('order and duplicates', () => {
    proof.promise('files come first, then globs, then directories, each sorted by path', async () => {
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

    proof.promise('sorts whole paths, not directory by directory', async () => {
      const { documents } = await resolve({ 'a/b': '', 'a-b': '', 'a.b': '', ab: '' }, { directories: ['.'] });
      expect(pathsOf(documents)).toEqual(['a-b', 'a.b', 'a/b', 'ab']);
    });

    proof.promise('sorts by UTF-16 code units: digits, then capitals, then small letters, then accents', async () => {
      const names = ['\u00e9', 'z', 'a2', 'a10', '_', 'Z', '1', 'a', '-'];
      const tree = Object.fromEntries(names.map((name) => [`${name}.txt`, '']));
      const sorted = ['-', '1', 'Z', '_', 'a', 'a10', 'a2', 'z', '\u00e9'].map((name) => `${name}.txt`);
      expect(pathsOf((await resolve(tree, { files: Object.keys(tree) })).documents)).toEqual(sorted);
      expect(pathsOf((await resolve(tree, { globPatterns: ['*'] })).documents)).toEqual(sorted);
      expect(pathsOf((await resolve(tree, { directories: ['.'] })).documents)).toEqual(sorted);
    });

    proof.promise('directories are walked without a limit of depth', async () => {
      const path = `${'d/'.repeat(60)}x`;
      expect(pathsOf((await resolve({ [path]: '' }, { directories: ['.'] })).documents)).toEqual([path]);
    });

    proof.promise('a file named in several ways is one document', async () => {
      const { documents, leftOut } = await resolve(sourceTree, {
        files: ['a.ts', './a.ts', 'src/../a.ts', 'a.ts'],
        globPatterns: ['a.ts', 'a.*'],
        directories: ['.', './'],
      });
      expect(pathsOf(documents).filter((path) => path === 'a.ts')).toHaveLength(1);
      expect(documents[0]).toEqual({ path: 'a.ts', text: 'a', sizeBytes: 1, origin: 'file' });
      expect(leftOut).toEqual([]);
    });

    proof.promise('a file that is left out is listed once for each name', async () => {
      const tree = { 'a.bin': Uint8Array.from([0]), 'b.txt': '' };
      const { leftOut } = await resolve(tree, {
        files: ['a.bin', './a.bin'],
        globPatterns: ['*'],
        directories: ['.'],
      });
      expect(leftOut).toEqual([leftOutEntry('a.bin', 'binary', 'file'), leftOutEntry('./a.bin', 'binary', 'file')]);
    });

    proof.promise('the same selection twice yields the same bundle', async () => {
      const wanted = { files: ['b.ts', 'none'], globPatterns: ['**/*.md'], directories: ['src'] };
      expect(await resolve(sourceTree, wanted)).toEqual(await resolve(sourceTree, wanted));
    });

    proof.promise('an empty selection yields an empty bundle', async () => {
      expect(await resolve(sourceTree, {})).toEqual({ documents: [], leftOut: [] });
    });
  });
}
