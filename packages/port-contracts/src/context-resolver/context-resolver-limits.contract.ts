import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf, sourceTree } from './context-resolver-harness.ts';

/** Limits of `maxFiles` and `maxBytes`. */
export function describeContextResolverLimits({ proof, resolve }: ContextResolverSubject): void {
  describe('limits', () => {
    proof.promise('beyond maxFiles, the first files are taken and the others listed', async () => {
      const { documents, leftOut } = await resolve(sourceTree, { files: ['b.ts'], directories: ['.'], maxFiles: 2 });
      expect(pathsOf(documents)).toEqual(['b.ts', 'a.ts']);
      expect(leftOut).toEqual([
        leftOutEntry('docs/x.md', 'over-file-limit', 'directory'),
        leftOutEntry('src/deep/er/y.ts', 'over-file-limit', 'directory'),
        leftOutEntry('src/z.ts', 'over-file-limit', 'directory'),
      ]);
    });

    proof.promise('beyond maxFiles, names that lead nowhere still have their own reason', async () => {
      const { documents, leftOut } = await resolve(sourceTree, { files: ['a.ts', 'b.ts', 'none'], maxFiles: 1 });
      expect(pathsOf(documents)).toEqual(['a.ts']);
      expect(leftOut).toHaveLength(2);
      expect(leftOut).toEqual(
        expect.arrayContaining([
          leftOutEntry('b.ts', 'over-file-limit', 'file'),
          leftOutEntry('none', 'not-found', 'file'),
        ]),
      );
    });

    proof.promise('a document is whole or left out, and smaller later ones still fit', async () => {
      const tree = { a: '1234', b: '12345678', c: '123', d: '1234', e: '', f: '1' };
      const { documents, leftOut } = await resolve(tree, { directories: ['.'], maxBytes: 8 });
      expect(documents.map(({ path, text }) => [path, text])).toEqual([
        ['a', '1234'],
        ['c', '123'],
        ['e', ''],
        ['f', '1'],
      ]);
      expect(leftOut).toEqual([
        leftOutEntry('b', 'over-byte-limit', 'directory'),
        leftOutEntry('d', 'over-byte-limit', 'directory'),
      ]);
    });

    proof.promise('maxBytes counts bytes, not characters', async () => {
      const tree = { 'a.txt': '\u00e9\u00e9', 'b.txt': 'eee' };
      const { documents, leftOut } = await resolve(tree, { files: ['a.txt', 'b.txt'], maxBytes: 3 });
      expect(pathsOf(documents)).toEqual(['b.txt']);
      expect(leftOut).toEqual([leftOutEntry('a.txt', 'over-byte-limit', 'file')]);
    });

    proof.promise('limits of zero admit only empty files, or no files', async () => {
      const tree = { a: '1', b: '' };
      const noBytes = await resolve(tree, { files: ['a', 'b'], maxBytes: 0 });
      expect(pathsOf(noBytes.documents)).toEqual(['b']);
      const noFiles = await resolve(tree, { files: ['a', 'b'], maxFiles: 0 });
      expect(noFiles.documents).toEqual([]);
      expect(noFiles.leftOut).toHaveLength(2);
    });

    proof.promise('a file that fits exactly is taken', async () => {
      const { documents } = await resolve({ a: '1234', b: '5678' }, { directories: ['.'], maxBytes: 8, maxFiles: 2 });
      expect(pathsOf(documents)).toEqual(['a', 'b']);
      const one = await resolve({ a: '1234', b: '5678' }, { directories: ['.'], maxBytes: 7, maxFiles: 2 });
      expect(pathsOf(one.documents)).toEqual(['a']);
    });
  });
}
