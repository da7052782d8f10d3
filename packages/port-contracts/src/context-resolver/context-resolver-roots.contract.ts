import { describe, expect } from 'vitest';
import {
  type ContextPlace,
  type ContextResolverSubject,
  leftOutEntry,
  pathsOf,
  selectionOf,
} from './context-resolver-harness.ts';

const never = new AbortController().signal;
const secret = 'what lies outside';

/** A directory whose name begins like the root's, and a file above both. */
const outside = { 'secret.txt': secret, 'project2/secret.txt': secret, 'project.txt': secret };

/** Which files may be read, and under which names. */
export function describeContextResolverRoots(subject: ContextResolverSubject): void {
  describe('roots', () => {
    describeNames(subject);
    describeSiblings(subject);
    if (subject.features.links) {
      describeLinks(subject);
    }
    if (subject.features.ignoreFiles) {
      describeIgnoreFiles(subject);
    }
  });
}

function describeNames({ proof, open }: ContextResolverSubject): void {
  proof.promise('an absolute path below the working directory is read, and is relative in the bundle', async () => {
    const { resolver, workingDirectory } = await open({ tree: { 'a.ts': 'a', 'src/b.ts': 'b' }, outside });
    const files = [`${workingDirectory}/src/b.ts`, `${workingDirectory}/../project/a.ts`];
    const { documents, leftOut } = await resolver.resolve(selectionOf({ files }), never);
    expect(documents.map(({ path, text }) => [path, text])).toEqual([
      ['a.ts', 'a'],
      ['src/b.ts', 'b'],
    ]);
    expect(leftOut).toEqual([]);
  });

  proof.promise("a directory next to the root whose name begins like the root's is outside", async () => {
    const { resolver, workingDirectory } = await open({ tree: { 'a.ts': 'a' }, outside });
    const files = ['../project2/secret.txt', `${workingDirectory}2/secret.txt`, `${workingDirectory}.txt`];
    const wanted = { files, directories: ['../project2'], globPatterns: ['../project2/*'] };
    const { documents, leftOut } = await resolver.resolve(selectionOf(wanted), never);
    expect(documents).toEqual([]);
    expect(leftOut).toHaveLength(5);
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['outside-roots']));
  });

  proof.promise('a file that exists outside is refused, however it is named', async () => {
    const { resolver, workingDirectory } = await open({ tree: { 'src/a.ts': 'a' }, outside });
    const files = ['../secret.txt', 'src/../../secret.txt', `${workingDirectory}/../secret.txt`, './/../secret.txt'];
    const { documents, leftOut } = await resolver.resolve(selectionOf({ files, directories: ['..'] }), never);
    expect(documents).toEqual([]);
    expect(leftOut.map(({ reason }) => reason)).toEqual(Array.from({ length: 5 }, () => 'outside-roots'));
  });
}

function describeSiblings({ proof, resolve, features }: ContextResolverSubject): void {
  const alike = { 'src/a.ts': 'a', 'src2/b.ts': 'b', 'src-old/c.ts': 'c', 'src.ts': 'd', 'lib/src/e.ts': 'e' };

  proof.promise('a directory includes the files below it, not siblings whose names begin alike', async () => {
    const { documents, leftOut } = await resolve(alike, { directories: ['src'] });
    expect(pathsOf(documents)).toEqual(['src/a.ts']);
    expect(leftOut).toEqual([]);
  });

  proof.promise('a pattern includes its matches, not siblings whose names begin or end alike', async () => {
    const { documents } = await resolve(alike, { globPatterns: ['src/*'] });
    expect(pathsOf(documents)).toEqual(['src/a.ts']);
  });

  proof.promise('a file includes itself, not siblings whose names begin alike', async () => {
    const { documents, leftOut } = await resolve({ 'a.ts': '1', 'a.tsx': '2', a: '3' }, { files: ['a.ts', 'a.t'] });
    expect(pathsOf(documents)).toEqual(['a.ts']);
    expect(leftOut).toEqual([leftOutEntry('a.t', 'not-found', 'file')]);
  });

  if (features.caseSensitive) {
    proof.promise('names differ by case', async () => {
      const tree = { 'a.ts': 'small', 'A.ts': 'large', 'src/b': 'b' };
      const wanted = { files: ['A.ts', 'SRC/b'], directories: ['SRC'] };
      const { documents, leftOut } = await resolve(tree, wanted);
      expect(documents.map(({ path, text }) => [path, text])).toEqual([['A.ts', 'large']]);
      expect(leftOut).toEqual([
        leftOutEntry('SRC/b', 'not-found', 'file'),
        leftOutEntry('SRC', 'not-found', 'directory'),
      ]);
    });
  }
}

function describeLinks({ proof, open }: ContextResolverSubject): void {
  const place: Partial<ContextPlace> = {
    tree: { 'real.txt': 'inside', 'dir/x.txt': 'x' },
    outside,
    links: { 'to-file': '../secret.txt', 'to-directory': '../project2', 'dir/up': '..', 'to-real': 'real.txt' },
  };

  proof.promise('a link to a file inside can be named', async () => {
    const { resolver } = await open(place);
    const { documents } = await resolver.resolve(selectionOf({ files: ['to-real'] }), never);
    expect(documents.map(({ text }) => text)).toEqual(['inside']);
  });

  proof.promise('a name that leads outside through a link is refused', async () => {
    const { resolver } = await open(place);
    const files = ['to-file', 'to-directory/secret.txt', 'dir/up/secret.txt'];
    const wanted = { files, directories: ['to-directory'] };
    const { documents, leftOut } = await resolver.resolve(selectionOf(wanted), never);
    expect(documents).toEqual([]);
    expect(leftOut).toHaveLength(4);
    const entries = files.map((path) => leftOutEntry(path, 'outside-roots', 'file'));
    expect(leftOut).toEqual(
      expect.arrayContaining([...entries, leftOutEntry('to-directory', 'outside-roots', 'directory')]),
    );
  });

  for (const [by, wanted] of [
    ['a walk', { directories: ['.'] }],
    ['a pattern', { globPatterns: ['**/*', 'to-file', 'to-directory/*', 'dir/up/*'] }],
  ] as const) {
    proof.promise(`${by} does not follow links that lead outside, and names the link to a file`, async () => {
      const { resolver } = await open(place);
      const { documents, leftOut } = await resolver.resolve(selectionOf(wanted), never);
      expect(documents.filter(({ text }) => text === secret)).toEqual([]);
      expect(new Set(documents.map(({ text }) => text))).toEqual(new Set(['inside', 'x']));
      expect(leftOut.map(({ path, reason }) => [path, reason])).toContainEqual(['to-file', 'outside-roots']);
    });
  }
}

function describeIgnoreFiles({ proof, resolve }: ContextResolverSubject): void {
  const tree = { '.gitignore': 'out\n', 'out/x.ts': 'x', 'src/a.ts': 'a', 'src/out/y.ts': 'y' };

  proof.promise('walks and patterns skip files that an ignore file excludes, without an entry', async () => {
    const { documents, leftOut } = await resolve(tree, { globPatterns: ['**/*.ts'], directories: ['src'] });
    expect(pathsOf(documents)).toEqual(['src/a.ts']);
    expect(leftOut).toEqual([]);
  });

  proof.promise('a named file is read although an ignore file excludes it', async () => {
    const { documents, leftOut } = await resolve(tree, { files: ['out/x.ts', 'src/out/y.ts'] });
    expect(pathsOf(documents)).toEqual(['out/x.ts', 'src/out/y.ts']);
    expect(leftOut).toEqual([]);
  });
}
