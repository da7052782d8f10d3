import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf, utf8Size } from './context-resolver-harness.ts';

/** Names with line ranges. */
export function describeContextResolverLines({ proof, resolve }: ContextResolverSubject): void {
  describe('lines', () => {
    const tree = { 'src/a.ts': 'one\ntwo\r\nthree\n\nfive \u00e9\nsix', 'b.ts': 'b\n' };
    const part = (text: string, first: number, last: number): unknown => ({
      path: 'src/a.ts',
      text,
      sizeBytes: utf8Size(text),
      lines: { first, last },
      origin: 'file',
    });

    const found: readonly (readonly [string, readonly string[], readonly unknown[]])[] = [
      ['some lines', ['src/a.ts:2-3'], [part('two\r\nthree\n', 2, 3)]],
      ['one line', ['src/a.ts:2'], [part('two\r\n', 2, 2)]],
      ['an empty line', ['src/a.ts:4'], [part('\n', 4, 4)]],
      ['the rest', ['src/a.ts:5-'], [part('five \u00e9\nsix', 5, 6)]],
      ['a last line without a line end', ['src/a.ts:6'], [part('six', 6, 6)]],
      ['more than the file has', ['src/a.ts:6-600'], [part('six', 6, 6)]],
      ['an absurd end', [`src/a.ts:6-${'9'.repeat(40)}`], [part('six', 6, 6)]],
      ['several parts', ['src/a.ts:4-5,1-2'], [part('one\ntwo\r\n', 1, 2), part('\nfive \u00e9\n', 4, 5)]],
      ['several names', ['./src/a.ts:4', 'src/a.ts:1'], [part('one\n', 1, 1), part('\n', 4, 4)]],
      ['parts that overlap', ['src/a.ts:3-4', 'src/a.ts:2-3,3'], [part('two\r\nthree\n\n', 2, 4)]],
      ['parts that touch', ['src/a.ts:1', 'src/a.ts:2'], [part('one\ntwo\r\n', 1, 2)]],
      ['the same again', ['src/a.ts:1', 'src/a.ts:1', './src/a.ts:1-1'], [part('one\n', 1, 1)]],
    ];
    for (const [what, files, expected] of found) {
      proof.promise(what, async () => {
        expect(await resolve(tree, { files })).toEqual({ documents: expected, leftOut: [] });
      });
    }

    proof.promise('all lines give the whole file', async () => {
      const whole = { path: 'b.ts', text: 'b\n', sizeBytes: 2, origin: 'file' };
      expect(await resolve(tree, { files: ['b.ts:1-'] })).toEqual({ documents: [whole], leftOut: [] });
      expect(await resolve(tree, { files: ['b.ts:1'], directories: ['.'] })).toMatchObject({
        documents: [whole, { path: 'src/a.ts', origin: 'directory' }],
        leftOut: [],
      });
    });

    proof.promise('a file named whole replaces its lines', async () => {
      const { documents, leftOut } = await resolve(tree, {
        files: ['src/a.ts:1', 'b.ts', './src/a.ts', 'src/a.ts:90'],
      });
      expect(documents.map(({ path, lines }) => [path, lines])).toEqual([
        ['b.ts', undefined],
        ['src/a.ts', undefined],
      ]);
      expect(leftOut).toEqual([]);
    });

    proof.promise('lines do not replace a file that is found later', async () => {
      const { documents } = await resolve(tree, { files: ['src/a.ts:1'], directories: ['src'] });
      expect(documents).toEqual([
        part('one\n', 1, 1),
        expect.objectContaining({ text: tree['src/a.ts'], origin: 'directory' }),
      ]);
      expect(documents[1]).not.toHaveProperty('lines');
    });

    proof.promise('a file with such a name comes first', async () => {
      const named = { 'a:1': 'colon\n', a: 'one\n', 'b:2': 'x' };
      const { documents, leftOut } = await resolve(named, { files: ['a:1', 'b:2', 'a:1:1'] });
      expect(documents.map(({ path, text }) => [path, text])).toEqual([
        ['a:1', 'colon\n'],
        ['b:2', 'x'],
      ]);
      expect(leftOut).toEqual([]);
    });

    for (const [what, name] of [
      ['a line after the last', 'src/a.ts:7'],
      ['lines after the last', 'src/a.ts:100-200'],
      ['a line of 400 digits', `src/a.ts:${'9'.repeat(400)}`],
      ['line 0', 'src/a.ts:0-5'],
      ['a range that runs backwards', 'src/a.ts:40-10'],
      ['more than 100 ranges in one name', `src/a.ts:${'1,'.repeat(100_000)}1`],
    ] as const) {
      proof.promise(`${what} is left out as no-such-lines`, async () => {
        const { documents, leftOut } = await resolve(tree, { files: [name, 'b.ts'] });
        expect(pathsOf(documents)).toEqual(['b.ts']);
        expect(leftOut).toEqual([leftOutEntry(name, 'no-such-lines', 'file')]);
      });
    }

    proof.promise('of several ranges, the existing ones are sent', async () => {
      const { documents, leftOut } = await resolve(tree, { files: ['src/a.ts:1,90-99'] });
      expect(documents).toEqual([part('one\n', 1, 1)]);
      expect(leftOut).toEqual([leftOutEntry('src/a.ts:1,90-99', 'no-such-lines', 'file')]);
    });

    proof.promise('an empty file has no lines', async () => {
      expect((await resolve({ a: '' }, { files: ['a:1-'] })).leftOut).toEqual([
        leftOutEntry('a:1-', 'no-such-lines', 'file'),
      ]);
    });

    proof.promise('lines of an unreadable file are left out for the same reason', async () => {
      const files = ['none:1', 'src:1', 'nul:1', '../x:1', ':1', 'b.ts:x', 'b.ts:1-2-3'];
      const { documents, leftOut } = await resolve({ ...tree, nul: Uint8Array.from([0x61, 0]) }, { files });
      expect(documents).toEqual([]);
      expect(leftOut).toHaveLength(files.length);
      expect(leftOut).toEqual(
        expect.arrayContaining([
          leftOutEntry('none:1', 'not-found', 'file'),
          leftOutEntry('src:1', 'is-a-directory', 'file'),
          leftOutEntry('nul:1', 'binary', 'file'),
          leftOutEntry('../x:1', 'outside-roots', 'file'),
          leftOutEntry(':1', 'not-found', 'file'),
          leftOutEntry('b.ts:x', 'not-found', 'file'),
          leftOutEntry('b.ts:1-2-3', 'not-found', 'file'),
        ]),
      );
    });

    proof.promise('limits count the lines, not the file', async () => {
      const long = { a: '1234\n\n123\n\n12345678\n' };
      const { documents, leftOut } = await resolve(long, { files: ['a', 'a:1', 'a:5', 'a:3,5'], maxBytes: 9 });
      expect(documents.map(({ text }) => text)).toEqual(['1234\n', '123\n']);
      expect(leftOut).toEqual([
        leftOutEntry('a', 'over-byte-limit', 'file'),
        leftOutEntry('a:5', 'over-byte-limit', 'file'),
        leftOutEntry('a:3,5', 'over-byte-limit', 'file'),
      ]);
    });

    proof.promise('each range counts towards maxFiles', async () => {
      const { documents, leftOut } = await resolve(tree, { files: ['src/a.ts:1,3,5', 'b.ts:1'], maxFiles: 2 });
      expect(documents.map(({ path, lines }) => [path, lines?.first])).toEqual([
        ['b.ts', undefined],
        ['src/a.ts', 1],
      ]);
      expect(new Set(leftOut.map(({ path, reason }) => `${path} ${reason}`))).toEqual(
        new Set(['src/a.ts:1,3,5 over-file-limit']),
      );
    });

    proof.promise('at the deadline, each name is left out as deadline', async () => {
      const { leftOut } = await resolve(tree, { files: ['b.ts:1', 'src/a.ts:1', 'src/a.ts:2'], deadlineAtMs: 0 });
      expect(leftOut).toHaveLength(3);
      expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['deadline']));
    });
  });
}
