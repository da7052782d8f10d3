import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf, sourceTree } from './context-resolver-harness.ts';

/** Names that yield no text. */
export function describeContextResolverNames({ proof, resolve }: ContextResolverSubject): void {
  describe('names that yield nothing', () => {
    proof.promise('each is listed as the caller wrote it, and the others are read', async () => {
      const { documents, leftOut } = await resolve(sourceTree, {
        files: ['./none.ts', 'src', 'a.ts'],
        directories: ['nowhere', 'b.ts'],
        globPatterns: ['*.none'],
      });
      expect(pathsOf(documents)).toEqual(['a.ts']);
      expect(leftOut).toHaveLength(5);
      expect(leftOut).toEqual(
        expect.arrayContaining([
          leftOutEntry('./none.ts', 'not-found', 'file'),
          leftOutEntry('src', 'is-a-directory', 'file'),
          leftOutEntry('nowhere', 'not-found', 'directory'),
          leftOutEntry('b.ts', 'not-a-directory', 'directory'),
          leftOutEntry('*.none', 'pattern-without-match', 'glob'),
        ]),
      );
    });

    proof.promise('names that lead outside are refused before any search', async () => {
      const { documents, leftOut } = await resolve(sourceTree, {
        files: ['../outside.txt', '/etc/passwd', 'src/../../x', '//etc//passwd'],
        directories: ['..', '/etc'],
        globPatterns: ['../*', '/etc/*'],
      });
      expect(documents).toEqual([]);
      expect(leftOut).toHaveLength(8);
      expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['outside-roots']));
    });

    for (const [what, hostile] of [
      ['empty', ''],
      ['the working directory', '.'],
      ['NUL', '\0'],
      ['a file and NUL', 'a.ts\0'],
      ['a file and a line feed', 'a.ts\n'],
      ['a name of 300 characters', 'x'.repeat(300)],
      ['a path of 6,000 characters', 'y/'.repeat(3_000)],
      ['a tilde', '~'],
      ['a file at home', '~/a.ts'],
      ['a variable', '$HOME'],
      ['a percent sign', '%61.ts'],
      ['an address', 'file:a.ts'],
    ] as const) {
      proof.promise(`a name (${what}) is an entry, never an exception`, async () => {
        const { documents, leftOut } = await resolve(sourceTree, { files: [hostile] });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([expect.objectContaining({ path: hostile, origin: 'file' })]);
      });
    }

    for (const origin of ['glob', 'directory'] as const) {
      proof.promise(`a ${origin} that no file system accepts is an entry, never an exception`, async () => {
        const names = ['\0', 'x'.repeat(300), 'y/'.repeat(3_000)];
        const wanted = origin === 'glob' ? { globPatterns: names } : { directories: names };
        const { documents, leftOut } = await resolve(sourceTree, wanted);
        expect(documents).toEqual([]);
        expect(leftOut).toHaveLength(names.length);
        expect(leftOut).toEqual(expect.arrayContaining(names.map((path) => expect.objectContaining({ path, origin }))));
      });
    }

    proof.promise('files that are not text are listed, and the others are read', async () => {
      const tree = {
        'nul.txt': Uint8Array.from([0x61, 0, 0x62]),
        'latin1.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9]),
        'text.txt': 'text',
      };
      const { documents, leftOut } = await resolve(tree, { files: Object.keys(tree) });
      expect(pathsOf(documents)).toEqual(['text.txt']);
      expect(leftOut).toHaveLength(2);
      expect(leftOut).toEqual(
        expect.arrayContaining([
          leftOutEntry('nul.txt', 'binary', 'file'),
          leftOutEntry('latin1.txt', 'not-utf8', 'file'),
        ]),
      );
    });
  });
}
