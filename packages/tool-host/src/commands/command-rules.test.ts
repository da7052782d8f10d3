import type { CommandRule } from '@gemini-mcp/core/internal';
import { judgePlan, lastingPrefix, shippedCommandRules } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { checkCommandRules } from './check-command-rules.ts';
import { parseCommand } from './parse-command.ts';

function decide(source: string): string {
  const reading = parseCommand(source);
  return reading.ok ? judgePlan(reading.plan, shippedCommandRules).decision : 'refused';
}

function lasting(source: string): string | null {
  const reading = parseCommand(source);
  return reading.ok ? (lastingPrefix(reading.plan.pipelines[0].commands[0].words)?.join(' ') ?? null) : 'refused';
}

describe('the shipped rules', () => {
  it('have examples that are right', () => {
    expect(checkCommandRules(shippedCommandRules)).toEqual([]);
  });

  it.each([
    'git status',
    'npm test',
    'pnpm vitest run',
    'tsc --noEmit',
    'eslint src',
    'grep -rn TODO . | head -5',
    'node script.js',
    'make test',
    'python -m pytest',
    'cargo check',
    'cd packages/core && npm test 2>&1 | tail -20',
    'CI=1 npm test',
    'timeout 30 npm test',
    'ls *.ts && echo done > out.txt',
  ])('allow %s', (source) => {
    expect(decide(source)).toBe('allow');
  });

  it.each([
    'npm install left-pad',
    'npx cowsay',
    'curl https://example.org',
    './run.sh',
    'env touch PWN',
    'xargs touch',
    'FOO=1 npm test',
    'stdbuf -o0 touch PWN',
    'timeout --foreground 3 touch PWN',
    'git -c core.pager=./x log',
    'find . -delete',
    'find . *',
    'rg --pre=./x y',
    'script -qc "touch PWN" /dev/null',
    'bash -c true',
    'vim -es -c "!touch PWN"',
    'constructor',
    'toString x',
    '__proto__ x',
  ])('ask about %s', (source) => {
    expect(decide(source)).toBe('ask');
  });

  it.each([
    'sudo ls',
    'git push',
    'ls; git commit -m x',
    'timeout 3 ssh host',
    'nice -n 5 timeout 3 sudo ls',
    'LD_PRELOAD=./x.so ls',
    'PATH=. ls',
    'BASH_ENV=./c.sh npm test',
    'NODE_OPTIONS=--import=./x.mjs npm test',
    'GIT_SSH_COMMAND=./x git status',
  ])('deny %s', (source) => {
    expect(decide(source)).toBe('deny');
  });
});

describe('an example of a rule', () => {
  const rule: CommandRule = { prefix: ['ls'], decision: 'allow', reason: 'It looks.', matches: ['ls -l'] };

  it.each<[string, Partial<CommandRule>, string]>([
    ['is not matched', { matches: ['cat x'] }, 'does not match'],
    ['is matched and must not be', { notMatches: ['ls'] }, 'matches'],
    ['cannot be read', { matches: ['ls $X'] }, 'is not understood'],
  ])('is told where it %s', (_, known, problem) => {
    expect(checkCommandRules([{ ...rule, ...known }]).map((wrong) => wrong.problem)).toEqual([problem]);
  });
});

describe('the words of a lasting approval', () => {
  it.each([
    ['git status --short', 'git status'],
    ['npm run build -- --watch', 'npm run build'],
    ['npm test', 'npm test'],
    ['make test', 'make test'],
    ['python -m pytest -q', 'python -m pytest'],
    ['eslint src', 'eslint'],
    ['timeout 30 npm test', 'npm test'],
    ['docker compose up', 'docker compose up'],
    ['constructor x', 'constructor'],
  ])('%s: %s', (source, expected) => {
    expect(lasting(source)).toBe(expected);
  });

  it.each([
    'make',
    'npm',
    'git -c core.pager=x log',
    'git *',
    'node script.js',
    'python script.py',
    'python -c x',
    'npx cowsay',
    'npm exec cowsay',
    'npm exec',
    'pnpm dlx x',
    'sh -c ls',
    'env ls',
    'xargs rm',
    'find . -exec rm x',
    './run.sh',
    '/bin/ls',
    'timeout 3 bash -c x',
    'sudo ls',
  ])('there are none for %s', (source) => {
    expect(lasting(source)).toBeNull();
  });
});
