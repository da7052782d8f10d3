import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeWrite } from './judge-write.ts';

const isSensitive = (path: string): boolean => path.split('/').includes('.env');

function decide(path: string): string {
  return judgeWrite({ path, isSensitive }).decision;
}

describe('judgeWrite', () => {
  it.each(['src/a.ts', 'README.md', 'docs/github.md', 'git/a', 'src/package.ts', '.gitignore', 'a.git.ts'])(
    'allows %s',
    (path) => {
      expect(decide(path)).toBe('allow');
    },
  );

  it.each([
    'package.json',
    'packages/a/package.json',
    'Makefile',
    'Dockerfile.dev',
    'pnpm-lock.yaml',
    'node_modules/x/i.js',
  ])('asks about %s', (path) => {
    expect(decide(path)).toBe('ask');
  });

  it.each([
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.GIT/config',
    '.git ./config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    '\uff0egit/config',
    '.gemini/settings.json',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.husky/pre-push',
    '.mcp.json',
    'GEMINI.md',
    '.npmrc',
    '.env',
    'a/.env',
    '.ENV',
  ])('denies %j', (path) => {
    expect(decide(path)).toBe('deny');
  });

  it('says why', () => {
    expect(judgeWrite({ path: '.git/config', isSensitive })).toEqual({
      decision: 'deny',
      reason: "The repository itself is the user's.",
    });
  });

  it('denies whatever lies below what is denied', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (above, below) => {
        expect(decide([...above, '.git', ...below].join('/'))).toBe('deny');
      }),
    );
  });
});
