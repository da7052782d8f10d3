import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock, ContextBundle, ContextSelection } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describeContextResolverContract, resolverInTemporaryDirectory } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileContextResolver, type FileContextResolverOptions } from './file-context-resolver.ts';

function put(directory: string, tree: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

function makeDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'context-')));
}

describeContextResolverContract({
  name: 'FileContextResolver',
  ...resolverInTemporaryDirectory((place) => new FileContextResolver({ ...place, roots: [], allowSensitive: false })),
});

describe('FileContextResolver', () => {
  let base: string;
  let root: string;

  beforeEach(() => {
    base = makeDirectory();
    root = join(base, 'project');
    mkdirSync(root);
  });

  afterEach(() => {
    rmSync(base, { recursive: true, force: true });
  });

  function createResolver(options: Partial<FileContextResolverOptions> = {}): FileContextResolver {
    return new FileContextResolver({
      workingDirectory: root,
      roots: [],
      allowSensitive: false,
      clock: new FakeClock(),
      ...options,
    });
  }

  function resolve(
    fields: Partial<ContextSelection>,
    options: Partial<FileContextResolverOptions> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ContextBundle> {
    const selection = { files: [], globPatterns: [], directories: [], maxFiles: 5_000, maxBytes: 10_000_000 };
    return createResolver(options).resolve({ ...selection, deadlineAtMs: Number.MAX_SAFE_INTEGER, ...fields }, signal);
  }

  async function found(fields: Partial<ContextSelection>): Promise<readonly string[]> {
    return (await resolve(fields)).documents.map(({ path }) => path);
  }

  describe('ignore rules', () => {
    it('rules of nested files add to and override those above', async () => {
      put(root, {
        '.gitignore': '*.log\n/only-here\ntmp/\n',
        'a/.gitignore': '!keep.log\nlocal\n',
        'a/keep.log': '',
        'a/drop.log': '',
        'a/local': '',
        'a/only-here': '',
        'b/keep.log': '',
        'b/local': '',
        'only-here': '',
        'tmp/x': '',
        'a/tmp/x': '',
        'b/tmp': '',
      });
      expect(await found({ directories: ['.'] })).toEqual([
        '.gitignore',
        'a/.gitignore',
        'a/keep.log',
        'a/only-here',
        'b/local',
        'b/tmp',
      ]);
      expect(await found({ globPatterns: ['**/*'] })).toEqual(['a/keep.log', 'a/only-here', 'b/local', 'b/tmp']);
    });

    it('excluded files are not listed', async () => {
      put(root, {
        '.gitignore': 'x*\n.env\n',
        x1: '',
        'xd/y': '',
        '.env': '',
        'node_modules/m.js': '',
        'a.js.map': '',
      });
      expect((await resolve({ directories: ['.'] })).leftOut).toEqual([]);
    });

    it('a file with a binary name is listed unless they exclude it', async () => {
      put(root, { '.gitignore': 'drawn/\n', 'logo.PNG': '', 'drawn/a.png': '', '.png': 'text' });
      const { documents, leftOut } = await resolve({ directories: ['.'] });
      expect(leftOut).toEqual([{ path: 'logo.PNG', reason: 'binary', origin: 'directory' }]);
      expect(documents.map(({ path }) => path)).toContain('.png');
      expect((await resolve({ globPatterns: ['*.PNG'] })).leftOut).toMatchObject([
        { path: 'logo.PNG', reason: 'binary' },
      ]);
    });

    it('rules from directories above hold, up to the top of the repository', async () => {
      put(base, { '.gitignore': 'outer\n' });
      put(root, {
        '.git/info/exclude': 'excluded\n',
        '.gitignore': '*.log\n/src/made\n',
        'src/lib/a.log': '',
        'src/lib/a.ts': '',
        'src/lib/excluded': '',
        'src/lib/outer': '',
        'src/made/m': '',
      });
      expect(await found({ directories: ['src/lib'] })).toEqual(['src/lib/a.ts', 'src/lib/outer']);
      const { documents } = await resolve({ directories: ['.'] }, { workingDirectory: join(root, 'src') });
      expect(documents.map(({ path }) => path)).toEqual(['lib/a.ts', 'lib/outer']);
    });

    it('.geminiignore has the last word', async () => {
      put(root, {
        '.gitignore': '*.log\n',
        '.geminiignore': '!wanted.log\nsecret-plan.md\n',
        'wanted.log': '',
        'other.log': '',
        'secret-plan.md': '',
        'sub/.gitignore': '!secret-plan.md\nwanted.log\n',
        'sub/secret-plan.md': '',
        'sub/wanted.log': '',
      });
      expect(await found({ globPatterns: ['**/*'] })).toEqual(['sub/wanted.log', 'wanted.log']);
    });

    it('a file that is named is exempt, a directory that is named is exempt itself', async () => {
      put(root, {
        '.gitignore': 'out/\n*.log\n',
        'out/a.ts': 'a',
        'out/b.log': 'b',
        'dist/c.ts': 'c',
        'dist/node_modules/d.ts': 'd',
        'node_modules/pkg/e.ts': 'e',
      });
      expect(await found({ files: ['out/b.log', 'node_modules/pkg/e.ts'] })).toEqual([
        'node_modules/pkg/e.ts',
        'out/b.log',
      ]);
      expect(await found({ directories: ['out', 'dist'] })).toEqual(['dist/c.ts', 'out/a.ts']);
      expect(await found({ globPatterns: ['out/**', 'node_modules/pkg/*', '**/c.ts'] })).toEqual([
        'node_modules/pkg/e.ts',
        'out/a.ts',
      ]);
    });

    it('an ignore file that is a link does not apply, and one of any size does not stop the process', async () => {
      put(base, { rules: 'a\n' });
      put(root, {
        a: '',
        'big/.gitignore': `#${'x'.repeat(70_000)}`,
        'big/x': '',
        'many/.gitignore': '*y*\n'.repeat(16_000),
      });
      symlinkSync('../rules', join(root, '.gitignore'));
      const { documents, leftOut } = await resolve({ directories: ['.'] });
      expect(documents.map(({ path }) => path)).toEqual(['a']);
      const detail = 'its ignore files are too large or unreadable';
      expect(leftOut).toEqual([
        { path: 'big', reason: 'unreadable', origin: 'directory', detail },
        { path: 'many', reason: 'unreadable', origin: 'directory', detail },
        { path: '.gitignore', reason: 'outside-roots', origin: 'directory' },
      ]);
    });
  });

  it('walks skip environments and caches that declare themselves', async () => {
    put(root, {
      'my-env/pyvenv.cfg': '',
      'my-env/lib.py': '',
      'target/CACHEDIR.TAG': '',
      'target/x.rs': '',
      'a.py': '',
    });
    expect(await found({ directories: ['.'] })).toEqual(['a.py']);
    expect(await found({ directories: ['target'] })).toEqual(['target/CACHEDIR.TAG', 'target/x.rs']);
  });

  it('a directory without anything to send is listed', async () => {
    put(root, { 'empty/node_modules/x': '', 'full/a': '' });
    expect((await resolve({ directories: ['empty', 'full', 'full/a/..'] })).leftOut).toEqual([
      { path: 'empty', reason: 'not-found', origin: 'directory', detail: 'contains only ignored files' },
    ]);
  });

  describe('roots', () => {
    it('paths below another root are absolute', async () => {
      put(base, { 'shared/a.md': 'a', 'shared/deep/b.md': 'b' });
      const shared = join(base, 'shared');
      const { documents, leftOut } = await resolve(
        {
          files: [join(shared, 'a.md')],
          directories: ['../shared'],
          globPatterns: ['../shared/**/b.*', `${shared}/x*`],
        },
        { roots: ['../shared'] },
      );
      expect(documents.map(({ path }) => path)).toEqual([join(shared, 'a.md'), join(shared, 'deep/b.md')]);
      expect(leftOut).toEqual([{ path: `${shared}/x*`, reason: 'pattern-without-match', origin: 'glob' }]);
    });

    it('a working directory that is a link can be named by either of its names', async () => {
      put(root, { 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' });
      const alias = join(base, 'alias');
      symlinkSync('project', alias);
      const { documents, leftOut } = await resolve(
        { files: ['a.txt', join(alias, 'b.txt'), join(root, 'a.txt')], directories: [join(root, 'c'), 'c'] },
        { workingDirectory: alias },
      );
      expect(documents.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c/d.txt']);
      expect(leftOut).toEqual([]);
    });

    it('it reports the base of relative names', () => {
      expect(createResolver().workingDirectory).toBe(root);
    });

    it('a working directory that does not exist yields only entries', async () => {
      const { documents, leftOut } = await resolve(
        { files: ['a'], directories: ['.'], globPatterns: ['*'] },
        { workingDirectory: join(base, 'none') },
      );
      expect(documents).toEqual([]);
      expect(leftOut.map(({ reason }) => reason)).toEqual(['not-found', 'pattern-without-match', 'not-found']);
    });
  });

  describe('links', () => {
    it('one real file is one document, by the first name', async () => {
      put(root, { 'real.txt': 'x' });
      symlinkSync('real.txt', join(root, 'link.txt'));
      symlinkSync('.', join(root, 'here'));
      expect(await found({ files: ['real.txt', 'link.txt', 'here/real.txt'], directories: ['.', 'here'] })).toEqual([
        'here/real.txt',
      ]);
    });

    it('a named link to a directory is followed, a found one is listed', async () => {
      put(root, { 'a/x': '', 'b/y': '' });
      symlinkSync('../a', join(root, 'b/to-a'));
      symlinkSync('b', join(root, 'to-b'));
      const { documents, leftOut } = await resolve({ directories: ['to-b'] });
      expect(documents.map(({ path }) => path)).toEqual(['to-b/y']);
      expect(leftOut).toEqual([{ path: 'to-b/to-a', reason: 'is-a-directory', origin: 'directory' }]);
    });
  });

  it('a name with invalid UTF-8 bytes is listed', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'x');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/dir`), Buffer.from([0xff])]));
    const { documents, leftOut } = await resolve({ directories: ['.'] });
    expect(documents).toEqual([]);
    expect(leftOut).toEqual(
      ['dir\uFFFD', 'caf\uFFFD'].map((path) => ({
        path,
        reason: 'unreadable',
        origin: 'directory',
        detail: 'a path that is not valid UTF-8',
      })),
    );
    symlinkSync(Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9])]), join(root, 'link'));
    expect((await resolve({ files: ['link'] })).leftOut).toMatchObject([{ path: 'link', reason: 'unreadable' }]);
  });

  describe('time and size', () => {
    it('a walk of any size produces a list of bounded size', async () => {
      put(root, Object.fromEntries(Array.from({ length: 1_300 }, (_, index) => [`f${index}.txt`, 'x'])));
      const { documents, leftOut } = await resolve({ directories: ['.'], globPatterns: ['f1.*'], maxFiles: 2 });
      expect(documents).toHaveLength(2);
      expect(leftOut).toHaveLength(1_001);
      expect(leftOut.at(-1)).toEqual({
        path: '.',
        reason: 'over-file-limit',
        origin: 'directory',
        detail: 'and 298 more',
      });
    });

    it('the event loop turns while many files are read', async () => {
      put(root, Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.txt`, `${index}`])));
      let turns = 0;
      let isReading = true;
      const count = (): void => {
        turns += 1;
        if (isReading) {
          setImmediate(count);
        }
      };
      setImmediate(count);
      const { documents } = await resolve({ files: Array.from({ length: 600 }, (_, index) => `${index}.txt`) });
      isReading = false;
      expect(documents).toHaveLength(600);
      expect(turns).toBeGreaterThan(1);
    });

    /** Advances by a millisecond whenever it is read. */
    function restlessClock(onTick: (nowMs: number) => void = () => undefined): Clock {
      let nowMs = 0;
      return {
        now: () => {
          nowMs += 1;
          onTick(nowMs);
          return nowMs;
        },
        sleep: async () => undefined,
      };
    }

    it.each([1, 3, 10, 25])(
      'a deadline after %d readings of the clock leaves an accurate report',
      async (deadlineAtMs) => {
        const tree = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index % 5}/f${index}`, 'x']));
        put(root, tree);
        const { documents, leftOut } = await resolve(
          { files: ['d0/f0', 'd1/f1'], globPatterns: ['*/f*'], directories: ['.'], deadlineAtMs },
          { clock: restlessClock() },
        );
        expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['deadline']));
        const unfinished = leftOut.filter(({ path }) => path === '*/f*' || path === '.');
        const accounted = new Set([...documents, ...leftOut].map(({ path }) => path));
        expect(unfinished.length > 0 || Object.keys(tree).every((path) => accounted.has(path))).toBe(true);
      },
    );

    it.each([1, 5, 20])('an abort after %d readings of the clock rejects with its reason', async (abortAtMs) => {
      put(root, Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index % 5}/f${index}`, 'x'])));
      const controller = new AbortController();
      const clock = restlessClock((nowMs) => (nowMs === abortAtMs ? controller.abort('the reason') : undefined));
      await expect(resolve({ directories: ['.'] }, { clock }, controller.signal)).rejects.toBe('the reason');
    });
  });
});
