import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileContextResolver } from '../../files/file-context-resolver.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

/** Names that the skip list ignores, so that only ignore rules decide. */
const directories = ['', 'a', 'a/b', 'a/b/c', 'b', 'lib', 'lib/a', '.x'];
const names = ['a', 'b', 'ab', 'a.c', 'b.log', '.h', 'x y', '#a', '!b', 'c*'];

const name = fc.constantFrom('a', 'b', 'ab', 'lib', '*', 'a*', '*.log', '?', '[ab]', '[!a]', '.h', '.*', '*.c', 'c\\*');
const line = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      [' a'],
      ['# comment'],
      ['\\#a'],
      ['\\!b'],
      ['a '],
      ['x\\ y'],
      ['[a'],
      ['a\\'],
      [''],
      ['x y'],
    ),
  },
);
const rule = fc
  .tuple(fc.constantFrom('', '', '!', '/', '!/'), line, fc.constantFrom('', '', '/', '  ', '\r'))
  .map(([before, parts, after]) => before + parts.join('/') + after);
const file = fc.array(rule, { maxLength: 5 }).map((rules) => rules.join('\n'));
const files = fc.record({ top: file, exclude: file, nested: fc.array(file, { minLength: 3, maxLength: 3 }) });

describe.skipIf(!hasGit)('ignore rules', () => {
  let root: string;

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'git-agreement-')));
    execFileSync('git', ['init', '-q', root]);
    for (const path of directories.flatMap((directory) => names.map((each) => join(directory, `file-${each}`)))) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
    }
    for (const directory of directories) {
      for (const each of names.filter((some) => !directories.includes(join(directory, some)))) {
        writeFileSync(join(root, directory, each), each);
      }
    }
  });

  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  async function walk(directory: string): Promise<readonly string[]> {
    const resolver = new FileContextResolver({
      workingDirectory: root,
      roots: [],
      allowSensitive: false,
      clock: new FakeClock(),
    });
    const { documents } = await resolver.resolve(
      {
        files: [],
        globPatterns: [],
        directories: [directory],
        maxFiles: 1_000,
        maxBytes: 1_000_000,
        deadlineAtMs: Number.MAX_SAFE_INTEGER,
      },
      new AbortController().signal,
    );
    return documents.map(({ path }) => path).sort();
  }

  function askGit(): readonly string[] {
    const output = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
    return output
      .split('\0')
      .filter((path) => path !== '')
      .sort();
  }

  it('a walk finds what git would add', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ top, exclude, nested }) => {
        writeFileSync(join(root, '.gitignore'), top);
        writeFileSync(join(root, '.git/info/exclude'), exclude);
        for (const [index, directory] of ['a', 'a/b', 'lib'].entries()) {
          writeFileSync(join(root, directory, '.gitignore'), nested[index] ?? '');
        }
        expect(await walk('.')).toEqual(askGit());
      }),
      { numRuns: 60 },
    );
  });
});
