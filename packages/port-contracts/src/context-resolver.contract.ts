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

    describe('lines', () => {
      const tree = { 'src/a.ts': 'one\ntwo\r\nthree\n\nfive \u00e9\nsix', 'b.ts': 'b\n' };
      const part = (text: string, first: number, last: number): unknown => ({
        path: 'src/a.ts',
        text,
        sizeBytes: utf8Size(text),
        lines: { first, last },
        origin: 'file',
      });

      it.each<[string, readonly string[], readonly unknown[]]>([
        ['some lines', ['src/a.ts:2-3'], [part('two\r\nthree\n', 2, 3)]],
        ['one line', ['src/a.ts:2'], [part('two\r\n', 2, 2)]],
        ['an empty line', ['src/a.ts:4'], [part('\n', 4, 4)]],
        ['the rest', ['src/a.ts:5-'], [part('five \u00e9\nsix', 5, 6)]],
        ['a last line without a line end', ['src/a.ts:6'], [part('six', 6, 6)]],
        ['more than there is', ['src/a.ts:6-600'], [part('six', 6, 6)]],
        ['an absurd end', [`src/a.ts:6-${'9'.repeat(40)}`], [part('six', 6, 6)]],
        ['several parts', ['src/a.ts:4-5,1-2'], [part('one\ntwo\r\n', 1, 2), part('\nfive \u00e9\n', 4, 5)]],
        ['several names', ['./src/a.ts:4', 'src/a.ts:1'], [part('one\n', 1, 1), part('\n', 4, 4)]],
        ['parts that overlap', ['src/a.ts:3-4', 'src/a.ts:2-3,3'], [part('two\r\nthree\n\n', 2, 4)]],
        ['parts that touch', ['src/a.ts:1', 'src/a.ts:2'], [part('one\ntwo\r\n', 1, 2)]],
        ['the same again', ['src/a.ts:1', 'src/a.ts:1', './src/a.ts:1-1'], [part('one\n', 1, 1)]],
      ])('%s', async (_, files, expected) => {
        expect(await resolve(tree, { files })).toEqual({ documents: expected, leftOut: [] });
      });

      it('all lines are the file', async () => {
        const whole = { path: 'b.ts', text: 'b\n', sizeBytes: 2, origin: 'file' };
        expect(await resolve(tree, { files: ['b.ts:1-'] })).toEqual({ documents: [whole], leftOut: [] });
        expect(await resolve(tree, { files: ['b.ts:1'], directories: ['.'] })).toMatchObject({
          documents: [whole, { path: 'src/a.ts', origin: 'directory' }],
          leftOut: [],
        });
      });

      it('a file that is named whole takes the place of its lines', async () => {
        const { documents, leftOut } = await resolve(tree, {
          files: ['src/a.ts:1', 'b.ts', './src/a.ts', 'src/a.ts:90'],
        });
        expect(documents.map(({ path, lines }) => [path, lines])).toEqual([
          ['b.ts', undefined],
          ['src/a.ts', undefined],
        ]);
        expect(leftOut).toEqual([]);
      });

      it('lines do not stand for a file that is found later', async () => {
        const { documents } = await resolve(tree, { files: ['src/a.ts:1'], directories: ['src'] });
        expect(documents).toEqual([
          part('one\n', 1, 1),
          expect.objectContaining({ text: tree['src/a.ts'], origin: 'directory' }),
        ]);
        expect(documents[1]).not.toHaveProperty('lines');
      });

      it('a file that really bears such a name comes first', async () => {
        const named = { 'a:1': 'colon\n', a: 'one\n', 'b:2': 'x' };
        const { documents, leftOut } = await resolve(named, { files: ['a:1', 'b:2', 'a:1:1'] });
        expect(documents.map(({ path, text }) => [path, text])).toEqual([
          ['a:1', 'colon\n'],
          ['b:2', 'x'],
        ]);
        expect(leftOut).toEqual([]);
      });

      it.each([
        ['src/a.ts:7', 'the file has 6 lines'],
        ['src/a.ts:100-200', 'the file has 6 lines'],
        [`src/a.ts:${'9'.repeat(400)}`, 'the file has 6 lines'],
        ['src/a.ts:0-5', 'lines are counted from 1'],
        ['src/a.ts:40-10', '40-10 runs backwards'],
        [`src/a.ts:${'1,'.repeat(100_000)}1`, 'more than 100 ranges in one name'],
      ])('%.20s is left out: %s', async (name, detail) => {
        const { documents, leftOut } = await resolve(tree, { files: [name, 'b.ts'] });
        expect(pathsOf(documents)).toEqual(['b.ts']);
        expect(leftOut).toEqual([{ path: name, reason: 'no-such-lines', origin: 'file', detail }]);
      });

      it('of several parts, those that are there are sent', async () => {
        const { documents, leftOut } = await resolve(tree, { files: ['src/a.ts:1,90-99'] });
        expect(documents).toEqual([part('one\n', 1, 1)]);
        expect(leftOut).toEqual([entry('src/a.ts:1,90-99', 'no-such-lines', 'file')]);
      });

      it('an empty file has no lines', async () => {
        expect((await resolve({ a: '' }, { files: ['a:1-'] })).leftOut).toEqual([
          { path: 'a:1-', reason: 'no-such-lines', origin: 'file', detail: 'the file has 0 lines' },
        ]);
      });

      it('what cannot be read has no lines either', async () => {
        const files = ['none:1', 'src:1', 'nul:1', '../x:1', ':1', 'b.ts:x', 'b.ts:1-2-3'];
        const { documents, leftOut } = await resolve({ ...tree, nul: Uint8Array.from([0x61, 0]) }, { files });
        expect(documents).toEqual([]);
        expect(leftOut).toHaveLength(files.length);
        expect(leftOut).toEqual(
          expect.arrayContaining([
            entry('none:1', 'not-found', 'file'),
            entry('src:1', 'not-a-file', 'file'),
            entry('nul:1', 'binary', 'file'),
            entry('../x:1', 'outside-roots', 'file'),
            entry(':1', 'not-found', 'file'),
            entry('b.ts:x', 'not-found', 'file'),
            entry('b.ts:1-2-3', 'not-found', 'file'),
          ]),
        );
      });

      it('limits count the lines, not the file', async () => {
        const long = { a: '1234\n\n123\n\n12345678\n' };
        const { documents, leftOut } = await resolve(long, { files: ['a', 'a:1', 'a:5', 'a:3,5'], maxBytes: 9 });
        expect(documents.map(({ text }) => text)).toEqual(['1234\n', '123\n']);
        expect(leftOut).toEqual([
          entry('a', 'over-byte-limit', 'file'),
          entry('a:5', 'over-byte-limit', 'file'),
          entry('a:3,5', 'over-byte-limit', 'file'),
        ]);
      });

      it('each part counts towards maxFiles', async () => {
        const { documents, leftOut } = await resolve(tree, { files: ['src/a.ts:1,3,5', 'b.ts:1'], maxFiles: 2 });
        expect(documents.map(({ path, lines }) => [path, lines?.first])).toEqual([
          ['b.ts', undefined],
          ['src/a.ts', 1],
        ]);
        expect(new Set(leftOut.map(({ path, reason }) => `${path} ${reason}`))).toEqual(
          new Set(['src/a.ts:1,3,5 over-file-limit']),
        );
      });

      it('at the deadline, each name is left out as deadline', async () => {
        const { leftOut } = await resolve(tree, { files: ['b.ts:1', 'src/a.ts:1', 'src/a.ts:2'], deadlineAtMs: 0 });
        expect(leftOut).toHaveLength(3);
        expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['deadline']));
      });
    });

    describe('images and PDFs', () => {
      const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 0xff]);
      const pdf = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x0a]);
      const tree = { 'z.png': png, 'doc/a': pdf, 'a.txt': 'text', 'text.png': 'no picture' };
      const carried = { mediaTypes: ['image/png', 'application/pdf'], maxMediaBytes: 19 };

      it('what is named goes by its content, byte for byte, beside the documents', async () => {
        const { documents, media, leftOut } = await resolve(tree, { files: Object.keys(tree), ...carried });
        expect(pathsOf(documents)).toEqual(['a.txt', 'text.png']);
        expect(media).toEqual([
          { path: 'doc/a', mediaType: 'application/pdf', bytes: pdf },
          { path: 'z.png', mediaType: 'image/png', bytes: png },
        ]);
        expect(leftOut).toEqual([]);
      });

      it('is one part however often it is named', async () => {
        const { media, leftOut } = await resolve(tree, { files: ['z.png', './z.png', 'doc/../z.png'], ...carried });
        expect(media).toHaveLength(1);
        expect(leftOut).toEqual([]);
      });

      it('without the type among mediaTypes it is left out', async () => {
        const bundle = await resolve(tree, { files: ['z.png', 'doc/a'], ...carried, mediaTypes: ['image/gif'] });
        expect(bundle).toEqual({
          documents: [],
          leftOut: [
            { path: 'doc/a', reason: 'media-not-carried', origin: 'file', detail: 'application/pdf' },
            { path: 'z.png', reason: 'media-not-carried', origin: 'file', detail: 'image/png' },
          ],
        });
        const { leftOut } = await resolve(tree, { files: ['z.png'] });
        expect(leftOut).toEqual([entry('z.png', 'media-not-carried', 'file')]);
      });

      it('beyond maxMediaBytes it is left out, and smaller later ones still go in', async () => {
        const both = { 'a.png': png, b: pdf };
        const first = await resolve(both, { files: ['a.png', 'b'], ...carried, maxMediaBytes: 18 });
        expect(first.media?.map(({ path }) => path)).toEqual(['a.png']);
        expect(first.leftOut).toEqual([{ path: 'b', reason: 'over-media-limit', origin: 'file', detail: '7 bytes' }]);
        const second = await resolve(both, { files: ['a.png', 'b'], ...carried, maxMediaBytes: 11 });
        expect(second.media?.map(({ path }) => path)).toEqual(['b']);
        const { leftOut } = await resolve(both, { files: ['b'], mediaTypes: carried.mediaTypes });
        expect(leftOut).toEqual([entry('b', 'over-media-limit', 'file')]);
      });

      it('counts towards maxFiles, not towards maxBytes', async () => {
        const wanted = { files: ['doc/a', 'a.txt', 'z.png'], ...carried };
        const small = await resolve(tree, { ...wanted, maxBytes: 4 });
        expect(small.leftOut).toEqual([]);
        const few = await resolve(tree, { ...wanted, maxFiles: 2 });
        expect(few.media?.map(({ path }) => path)).toEqual(['doc/a']);
        expect(few.leftOut).toEqual([entry('z.png', 'over-file-limit', 'file')]);
      });

      it('what a pattern or a walk finds stays binary', async () => {
        const { media, leftOut } = await resolve({ 'doc/z': png }, { globPatterns: ['*/z'], ...carried });
        expect(media).toBeUndefined();
        expect(leftOut).toEqual([entry('doc/z', 'binary', 'glob')]);
        const walked = await resolve({ 'doc/z': png }, { directories: ['.'], ...carried });
        expect(walked).toEqual({ documents: [], leftOut: [entry('doc/z', 'binary', 'directory')] });
      });

      it('a walk has nothing to add about what was sent', async () => {
        const { media, leftOut } = await resolve(tree, {
          files: ['z.png'],
          globPatterns: ['*.png'],
          directories: ['.'],
          ...carried,
        });
        expect(media).toHaveLength(1);
        expect(leftOut.map(({ path }) => path)).not.toContain('z.png');
      });

      it('has no lines', async () => {
        const { media, leftOut } = await resolve(tree, { files: ['z.png:1'], ...carried });
        expect(media).toBeUndefined();
        expect(leftOut).toEqual([
          { path: 'z.png:1', reason: 'no-such-lines', origin: 'file', detail: 'image/png has no lines' },
        ]);
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
