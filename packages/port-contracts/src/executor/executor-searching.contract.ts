import type { FoundLines, SearchFilesRequest, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy } from './executor-harness.ts';

async function search(workspace: Workspace, fields: Partial<SearchFilesRequest>): Promise<FoundLines> {
  const request = { path: '.', text: 'x', isPattern: false, ignoresCase: false, filePattern: null, ...fields };
  return doneBy(await workspace.searchFiles(request, never));
}

function placesOf({ lines }: FoundLines): readonly string[] {
  return lines.map(({ path, line }) => `${path}:${line}`);
}

/** Searching file contents. */
export function describeSearching(subject: ExecutorSubject): void {
  describe('searching', () => {
    describeMatches(subject);
    describeLimits(subject);
  });
}

function describeMatches({ proof, open }: ExecutorSubject): void {
  const tree = {
    'b.ts': 'x\nfoo(x)\n',
    'a.ts': 'y\nX',
    'src/c.md': 'a.x\r\nabx\r\n',
    '.gitignore': 'out\n',
    'out/d': 'x',
  };

  proof.promise('matches come with path and line, without line ends, and without ignored files', async () => {
    const { workspace } = await open({ tree });
    const found = await search(workspace, { text: 'x' });
    expect(found).toEqual({
      lines: [
        { path: 'b.ts', line: 1, text: 'x' },
        { path: 'b.ts', line: 2, text: 'foo(x)' },
        { path: 'src/c.md', line: 1, text: 'a.x' },
        { path: 'src/c.md', line: 2, text: 'abx' },
      ],
      isCut: false,
      files: found.files,
      passedOver: 0,
    });
  });

  proof.promise('text is literal, and a pattern is a regular expression', async () => {
    const { workspace } = await open({ tree });
    expect(placesOf(await search(workspace, { text: 'a.x' }))).toEqual(['src/c.md:1']);
    expect(placesOf(await search(workspace, { text: 'a.x', isPattern: true }))).toEqual(['src/c.md:1', 'src/c.md:2']);
    expect(placesOf(await search(workspace, { text: '^fo+\\(\\w\\)$', isPattern: true }))).toEqual(['b.ts:2']);
    expect(placesOf(await search(workspace, { text: 'foo(' }))).toEqual(['b.ts:2']);
  });

  proof.promise('case counts unless it should be ignored', async () => {
    const { workspace } = await open({ tree });
    expect(placesOf(await search(workspace, { text: 'X' }))).toEqual(['a.ts:2']);
    expect(placesOf(await search(workspace, { text: 'FOO', ignoresCase: true }))).toEqual(['b.ts:2']);
    expect(placesOf(await search(workspace, { text: 'F[O]+', isPattern: true, ignoresCase: true }))).toEqual([
      'b.ts:2',
    ]);
  });

  proof.promise('only files below the path that match the pattern for files are read', async () => {
    const { workspace } = await open({ tree });
    expect(placesOf(await search(workspace, { path: 'src' }))).toEqual(['src/c.md:1', 'src/c.md:2']);
    expect(placesOf(await search(workspace, { filePattern: '*.ts' }))).toEqual(['b.ts:1', 'b.ts:2']);
    expect(placesOf(await search(workspace, { path: 'src/c.md', text: 'ab' }))).toEqual(['src/c.md:2']);
  });

  proof.promise('a search without matches succeeds', async () => {
    const { workspace } = await open({ tree });
    expect(await search(workspace, { text: 'nowhere' })).toMatchObject({ lines: [], isCut: false });
  });
}

function describeLimits({ proof, open }: ExecutorSubject): void {
  proof.promise('more than 500 lines are cut, and the result says so', async () => {
    const { workspace } = await open({ tree: { a: 'x\n'.repeat(300), b: 'x\n'.repeat(201) } });
    const { lines, isCut } = await search(workspace, {});
    expect([lines.length, lines.at(-1), isCut]).toEqual([500, { path: 'b', line: 200, text: 'x' }, true]);
    const { workspace: other } = await open({ tree: { a: 'x\n'.repeat(300), b: 'x\n'.repeat(200) } });
    expect((await search(other, {})).isCut).toBe(false);
  });

  proof.promise('a long line is cut to 400 characters around the match', async () => {
    const { workspace } = await open({ tree: { a: `${'a'.repeat(5_000)}NEEDLE${'b'.repeat(5_000)}` } });
    const [line] = (await search(workspace, { text: 'NEEDLE' })).lines;
    expect(line?.text).toMatch(/^a{100,}NEEDLEb{100,}$/);
    expect(line?.text.length).toBeLessThanOrEqual(400);
  });

  proof.promise('binary files and secrets are skipped and counted', async () => {
    const { workspace } = await open({ tree: { '.env': 'x', 'a.bin': Uint8Array.from([120, 0, 120]), b: 'x' } });
    const found = await search(workspace, {});
    expect([placesOf(found), found.passedOver, found.files]).toEqual([['b:1'], 2, 1]);
  });

  proof.promise('invalid patterns and missing paths are refused', async () => {
    const { workspace } = await open({ tree: { a: 'x' } });
    const codeOf = async (fields: Partial<SearchFilesRequest>): Promise<string> => {
      const request = { path: '.', text: 'x', isPattern: false, ignoresCase: false, filePattern: null, ...fields };
      return refusalBy(await workspace.searchFiles(request, never)).code;
    };
    expect(await codeOf({ text: '' })).toBe('invalid-arguments');
    expect(await codeOf({ text: '(', isPattern: true })).toBe('invalid-arguments');
    expect(await codeOf({ path: 'none' })).toBe('not-found');
  });
}
