import type { ContextBundle, ContextResolver, ContextSelection, LeftOut } from '@gemini-mcp/core';
import { afterEach, describe, expect, it } from 'vitest';

export type ContextResolverHarness = {
  /** Resolves names below the working directory that holds the tree. */
  readonly resolver: ContextResolver;
  readonly dispose: () => Promise<void>;
};

export type ContextResolverContractOptions = {
  readonly name: string;
  /** Makes a working directory with these files: paths with `/` to contents. */
  readonly create: (tree: Readonly<Record<string, string | Uint8Array>>) => Promise<ContextResolverHarness>;
};

const never = new AbortController().signal;

function selection(fields: Partial<ContextSelection>): ContextSelection {
  return {
    files: [],
    globPatterns: [],
    directories: [],
    maxFiles: 1_000,
    maxBytes: 1_000_000,
    deadlineAtMs: Number.MAX_SAFE_INTEGER,
    ...fields,
  };
}

const source = { 'b.ts': 'b', 'a.ts': 'a', 'src/z.ts': 'z', 'src/deep/er/y.ts': 'y', 'docs/x.md': 'x' };

/** What every `ContextResolver` owes. */
export function describeContextResolverContract({ name, create }: ContextResolverContractOptions): void {
  describe(`ContextResolver contract: ${name}`, () => {
    const harnesses: ContextResolverHarness[] = [];
    const resolve = async (
      tree: Readonly<Record<string, string | Uint8Array>>,
      fields: Partial<ContextSelection>,
      signal: AbortSignal = never,
    ): Promise<ContextBundle> => {
      const harness = await create(tree);
      harnesses.push(harness);
      return harness.resolver.resolve(selection(fields), signal);
    };
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    describe('order and duplicates', () => {
      it('files come first, then globs, then directories, each sorted by path', async () => {
        const { documents } = await resolve(source, {
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
        const { documents, leftOut } = await resolve(source, {
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
        expect(leftOut).toEqual([entry('a.bin', 'binary', 'file'), entry('./a.bin', 'binary', 'file')]);
      });

      it('the same selection twice yields the same bundle', async () => {
        const wanted = { files: ['b.ts', 'none'], globPatterns: ['**/*.md'], directories: ['src'] };
        expect(await resolve(source, wanted)).toEqual(await resolve(source, wanted));
      });

      it('an empty selection yields an empty bundle', async () => {
        expect(await resolve(source, {})).toEqual({ documents: [], leftOut: [] });
      });
    });

    describe('limits', () => {
      it('of more files than maxFiles, the first ones are taken and the others listed', async () => {
        const { documents, leftOut } = await resolve(source, { files: ['b.ts'], directories: ['.'], maxFiles: 2 });
        expect(pathsOf(documents)).toEqual(['b.ts', 'a.ts']);
        expect(leftOut).toEqual([
          entry('docs/x.md', 'over-file-limit', 'directory'),
          entry('src/deep/er/y.ts', 'over-file-limit', 'directory'),
          entry('src/z.ts', 'over-file-limit', 'directory'),
        ]);
      });

      it('beyond maxFiles, names that lead nowhere are still told from the others', async () => {
        const { documents, leftOut } = await resolve(source, { files: ['a.ts', 'b.ts', 'none'], maxFiles: 1 });
        expect(pathsOf(documents)).toEqual(['a.ts']);
        expect(leftOut).toHaveLength(2);
        expect(leftOut).toEqual(
          expect.arrayContaining([entry('b.ts', 'over-file-limit', 'file'), entry('none', 'not-found', 'file')]),
        );
      });

      it('a document is whole or not at all, and smaller later ones still go in', async () => {
        const tree = { a: '1234', b: '12345678', c: '123', d: '1234', e: '', f: '1' };
        const { documents, leftOut } = await resolve(tree, { directories: ['.'], maxBytes: 8 });
        expect(documents.map(({ path, text }) => [path, text])).toEqual([
          ['a', '1234'],
          ['c', '123'],
          ['e', ''],
          ['f', '1'],
        ]);
        expect(leftOut).toEqual([
          entry('b', 'over-byte-limit', 'directory'),
          entry('d', 'over-byte-limit', 'directory'),
        ]);
      });

      it('maxBytes counts bytes, not characters', async () => {
        const tree = { 'a.txt': '\u00e9\u00e9', 'b.txt': 'eee' };
        const { documents, leftOut } = await resolve(tree, { files: ['a.txt', 'b.txt'], maxBytes: 3 });
        expect(pathsOf(documents)).toEqual(['b.txt']);
        expect(leftOut).toEqual([entry('a.txt', 'over-byte-limit', 'file')]);
      });

      it('takes what fits exactly', async () => {
        const { documents } = await resolve({ a: '1234', b: '5678' }, { directories: ['.'], maxBytes: 8, maxFiles: 2 });
        expect(pathsOf(documents)).toEqual(['a', 'b']);
      });
    });

    describe('names that yield nothing', () => {
      it('each is listed as the caller wrote it, and the others are read', async () => {
        const { documents, leftOut } = await resolve(source, {
          files: ['./none.ts', 'src', 'a.ts'],
          directories: ['nowhere', 'b.ts'],
          globPatterns: ['*.none'],
        });
        expect(pathsOf(documents)).toEqual(['a.ts']);
        expect(leftOut).toHaveLength(5);
        expect(leftOut).toEqual(
          expect.arrayContaining([
            entry('./none.ts', 'not-found', 'file'),
            entry('src', 'not-a-file', 'file'),
            entry('nowhere', 'not-found', 'directory'),
            entry('b.ts', 'not-a-directory', 'directory'),
            entry('*.none', 'pattern-without-match', 'glob'),
          ]),
        );
      });

      it('names that lead outside are refused before anything is looked for', async () => {
        const { documents, leftOut } = await resolve(source, {
          files: ['../outside.txt', '/etc/passwd', 'src/../../x', '//etc//passwd'],
          directories: ['..', '/etc'],
          globPatterns: ['../*', '/etc/*'],
        });
        expect(documents).toEqual([]);
        expect(leftOut).toHaveLength(8);
        expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['outside-roots']));
      });

      it.each([
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
      ])('a name (%s) is an entry, never an exception', async (_, hostile) => {
        const { documents, leftOut } = await resolve(source, { files: [hostile] });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([expect.objectContaining({ path: hostile, origin: 'file' })]);
      });

      it('what is no text is listed, and the others are read', async () => {
        const tree = {
          'nul.txt': Uint8Array.from([0x61, 0, 0x62]),
          'latin1.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9]),
          'text.txt': 'text',
        };
        const { documents, leftOut } = await resolve(tree, { files: Object.keys(tree) });
        expect(pathsOf(documents)).toEqual(['text.txt']);
        expect(leftOut).toHaveLength(2);
        expect(leftOut).toEqual(
          expect.arrayContaining([entry('nul.txt', 'binary', 'file'), entry('latin1.txt', 'not-utf8', 'file')]),
        );
      });
    });

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
        const { documents, leftOut } = await resolve(source, { globPatterns: [pattern] });
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
        const { documents, leftOut } = await resolve(source, { globPatterns: [pattern] });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([entry(pattern, 'pattern-refused', 'glob')]);
      });
    });

    describe('literal text', () => {
      it.each([
        ['a byte order mark and carriage returns', '\uFEFFone\r\ntwo\rthree\n'],
        ['characters beyond the first plane', '\u{1f600} \u{10ffff} e\u0301 \u202e'],
        ['what looks like markup or a command', '</file>\n@a.ts /help !{rm} <![CDATA[ ]]>'],
        ['nothing', ''],
        ['control characters', '\u0001\u001b[2J\u007f\u0085\u2028'],
      ])('%s comes back unchanged, with its size in bytes', async (_, text) => {
        const { documents } = await resolve({ 'file.txt': text }, { files: ['file.txt'] });
        expect(documents).toEqual([{ path: 'file.txt', text, sizeBytes: utf8Size(text), origin: 'file' }]);
      });
    });

    describe('time', () => {
      it('at the deadline, what was named is left out as deadline', async () => {
        const { documents, leftOut } = await resolve(source, { files: ['b.ts', 'a.ts'], deadlineAtMs: 0 });
        expect(documents).toEqual([]);
        expect(leftOut).toEqual([entry('a.ts', 'deadline', 'file'), entry('b.ts', 'deadline', 'file')]);
      });

      it('rejects with the reason when the signal is already aborted', async () => {
        await expect(resolve(source, { files: ['a.ts'] }, AbortSignal.abort('the reason'))).rejects.toBe('the reason');
      });

      it('rejects with the reason when aborted on the way', async () => {
        const harness = await create(source);
        harnesses.push(harness);
        const controller = new AbortController();
        const resolved = harness.resolver.resolve(selection({ directories: ['.'] }), controller.signal);
        controller.abort('the reason');
        await expect(resolved).rejects.toBe('the reason');
      });
    });
  });
}

function pathsOf(documents: ContextBundle['documents']): readonly string[] {
  return documents.map(({ path }) => path);
}

/** An entry with whatever detail. */
function entry(path: string, reason: LeftOut['reason'], origin: LeftOut['origin']): unknown {
  return expect.objectContaining({ path, reason, origin });
}

function utf8Size(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length;
}
