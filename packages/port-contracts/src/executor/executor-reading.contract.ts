import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy } from './executor-harness.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);

/** Of `one\ntwo\nthree\n`. */
const hashOfThree = 'b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2';

/** Viewing, looking and listing. */
export function describeReading(subject: ExecutorSubject): void {
  describe('reading', () => {
    describeViewing(subject);
    describeLooking(subject);
    describeListing(subject);
  });
}

function describeViewing({ proof, open }: ExecutorSubject): void {
  proof.promise('a file is viewed whole, with the SHA-256 of its content', async () => {
    const { workspace } = await open({ tree: { 'src/a.txt': 'one\ntwo\nthree\n' } });
    expect(doneBy(await workspace.viewFile({ path: 'src/a.txt' }, never))).toEqual({
      path: 'src/a.txt',
      text: 'one\ntwo\nthree\n',
      firstLine: 1,
      lastLine: 3,
      totalLines: 3,
      hash: hashOfThree,
    });
  });

  proof.promise('requested lines come alone, with the hash of the whole content', async () => {
    const { workspace } = await open({ tree: { 'a.txt': 'one\ntwo\nthree\n' } });
    const part = doneBy(await workspace.viewFile({ path: 'a.txt', firstLine: 2, lastLine: 2 }, never));
    expect(part).toMatchObject({ text: 'two\n', firstLine: 2, lastLine: 2, totalLines: 3, hash: hashOfThree });
    const rest = doneBy(await workspace.viewFile({ path: 'a.txt', firstLine: 2, lastLine: 99 }, never));
    expect(rest).toMatchObject({ text: 'two\nthree\n', firstLine: 2, lastLine: 3 });
  });

  proof.promise('line ends, a byte order mark and a missing last line end are shown as they are', async () => {
    const text = '\uFEFFone\r\ntwo\n\nfour';
    const { workspace } = await open({ tree: { 'a.txt': text } });
    expect(doneBy(await workspace.viewFile({ path: 'a.txt' }, never))).toMatchObject({ text, totalLines: 4 });
  });

  proof.promise('an empty file has no lines', async () => {
    const { workspace } = await open({ tree: { 'a.txt': '' } });
    const viewed = doneBy(await workspace.viewFile({ path: 'a.txt' }, never));
    expect(viewed).toMatchObject({ text: '', firstLine: 1, lastLine: 0, totalLines: 0 });
  });

  proof.promise('a long file is cut at the end of a line, at 39,000 characters', async () => {
    const { workspace } = await open({ tree: { 'a.txt': 'x'.repeat(99).concat('\n').repeat(1_000) } });
    const viewed = doneBy(await workspace.viewFile({ path: 'a.txt' }, never));
    expect([viewed.text.length, viewed.lastLine, viewed.totalLines]).toEqual([39_000, 390, 1_000]);
    const next = doneBy(await workspace.viewFile({ path: 'a.txt', firstLine: 391 }, never));
    expect([next.text.length, next.firstLine, next.lastLine]).toEqual([39_000, 391, 780]);
  });

  proof.promise('lines beyond the file are refused', async () => {
    const { workspace } = await open({ tree: { 'a.txt': 'one\n' } });
    for (const lines of [{ firstLine: 2 }, { firstLine: 0 }, { firstLine: 2, lastLine: 1 }, { lastLine: 0.5 }]) {
      const refusal = refusalBy(await workspace.viewFile({ path: 'a.txt', ...lines }, never));
      expect(refusal.code).toBe('invalid-arguments');
    }
  });

  proof.promise('missing files, directories and binary files are refused, each with its code', async () => {
    const { workspace } = await open({ tree: { 'src/a.txt': 'a', 'b.bin': Uint8Array.from([0, 1, 2, 255]) } });
    const codeOf = async (path: string): Promise<string> => refusalBy(await workspace.viewFile({ path }, never)).code;
    expect(await codeOf('none.txt')).toBe('not-found');
    expect(await codeOf('src/a.txt/b')).toBe('not-found');
    expect(await codeOf('src')).toBe('invalid-arguments');
    expect(await codeOf('b.bin')).toBe('invalid-arguments');
  });

  proof.promise('a path may be absolute, and the result is relative to the working directory', async () => {
    const { workspace, workingDirectory } = await open({ tree: { 'src/a.txt': 'a' } });
    for (const path of [`${workingDirectory}/src/a.txt`, './src/../src/a.txt', `../project/src/a.txt`]) {
      expect(doneBy(await workspace.viewFile({ path }, never)).path).toBe('src/a.txt');
    }
  });
}

function describeLooking({ proof, open }: ExecutorSubject): void {
  proof.promise('an image comes as bytes with its type, whatever its name', async () => {
    const { workspace } = await open({ tree: { 'a.txt': png } });
    const { path, mediaType, bytes } = doneBy(await workspace.lookAt('a.txt', never));
    expect([path, mediaType, [...bytes]]).toEqual(['a.txt', 'image/png', [...png]]);
  });

  proof.promise('a text file is refused as an image', async () => {
    const { workspace } = await open({ tree: { 'a.png': 'text' } });
    expect(refusalBy(await workspace.lookAt('a.png', never)).code).toBe('invalid-arguments');
    expect(refusalBy(await workspace.lookAt('b.png', never)).code).toBe('not-found');
  });
}

function describeListing({ proof, open }: ExecutorSubject): void {
  const tree = { 'b.txt': 'bb', 'a/c.ts': 'c', 'a/d/e.ts': 'eee', 'a.txt': '', '.gitignore': 'out\n', 'out/f.ts': 'f' };

  proof.promise(
    'without a pattern, the entries of the directory itself are listed, hidden and ignored ones too',
    async () => {
      const { workspace } = await open({ tree });
      expect(doneBy(await workspace.listFiles({ path: '.', pattern: null }, never))).toEqual({
        files: [
          { path: '.gitignore', kind: 'file', sizeBytes: 4 },
          { path: 'a', kind: 'directory', sizeBytes: 0 },
          { path: 'a.txt', kind: 'file', sizeBytes: 0 },
          { path: 'b.txt', kind: 'file', sizeBytes: 2 },
          { path: 'out', kind: 'directory', sizeBytes: 0 },
        ],
        isCut: false,
      });
      const below = doneBy(await workspace.listFiles({ path: 'a', pattern: null }, never));
      expect(below.files.map(({ path }) => path)).toEqual(['a/c.ts', 'a/d']);
    },
  );

  proof.promise('with a pattern, matching files at any depth are listed, without ignored ones', async () => {
    const { workspace } = await open({ tree });
    const list = async (path: string, pattern: string): Promise<readonly string[]> =>
      doneBy(await workspace.listFiles({ path, pattern }, never)).files.map((file) => file.path);
    expect(await list('.', '**/*.ts')).toEqual(['a/c.ts', 'a/d/e.ts']);
    expect(await list('a', '*.ts')).toEqual(['a/c.ts']);
    expect(await list('a/d', '**')).toEqual(['a/d/e.ts']);
    expect(await list('.', '*.{txt,md}')).toEqual(['a.txt', 'b.txt']);
  });

  proof.promise('a pattern without matches lists nothing', async () => {
    const { workspace } = await open({ tree });
    expect(doneBy(await workspace.listFiles({ path: '.', pattern: '*.py' }, never))).toEqual({
      files: [],
      isCut: false,
    });
  });

  proof.promise('more than 2,000 entries are cut, and the result says so', async () => {
    const names = Array.from({ length: 2_001 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    const { workspace } = await open({ tree: Object.fromEntries(names.map((name) => [name, ''])) });
    for (const pattern of [null, '*']) {
      const { files, isCut } = doneBy(await workspace.listFiles({ path: '.', pattern }, never));
      expect([files.length, files[0]?.path, files.at(-1)?.path, isCut]).toEqual([2_000, 'f0000', 'f1999', true]);
    }
  });

  proof.promise('missing paths and files are refused', async () => {
    const { workspace } = await open({ tree });
    const codeOf = async (path: string): Promise<string> =>
      refusalBy(await workspace.listFiles({ path, pattern: null }, never)).code;
    expect([await codeOf('none'), await codeOf('a.txt')]).toEqual(['not-found', 'invalid-arguments']);
  });
}
