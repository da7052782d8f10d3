import type { CommandRule } from '@gemini-mcp/core/internal';
import { judgePlan, lastingPrefix, shippedCommandRules } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';
import { checkCommandRules } from './testing/check-command-rules.ts';

function decide(source: string): string {
  const reading = parseCommand(source);
  return reading.ok ? judgePlan(reading.plan, shippedCommandRules).decision : 'refused';
}

function lasting(source: string): string | null {
  const reading = parseCommand(source);
  return reading.ok ? (lastingPrefix(reading.plan.pipelines[0].commands[0].words)?.join(' ') ?? null) : 'refused';
}

describe('the shipped rules', () => {
  it('have correct examples', () => {
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
  ])('reports an example that %s', (_, known, problem) => {
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
  ])('do not exist for %s', (source) => {
    expect(lasting(source)).toBeNull();
  });
});

describe('HOST-L2: rules for read-only commands', () => {
  const excepted = shippedCommandRules.flatMap(({ decision, prefix, unless = [], matches }) =>
    decision === 'allow' ? unless.map((option) => ({ option, prefix, line: matches[0] })) : [],
  );

  it.each(excepted.filter(({ option }) => option.startsWith('--')))(
    'ask about $option in all its forms: $line',
    (each) => {
      for (let length = 3; length <= each.option.length; length += 1) {
        const short = each.option.slice(0, length);
        expect([short, decide(`${each.line} ${short} x`), decide(`${each.line} ${short}=x`)]).toEqual([
          short,
          'ask',
          'ask',
        ]);
      }
    },
  );

  it.each(excepted.filter(({ option }) => /^-[^-]$/.test(option)))(
    'ask about $option with a value and among other letters: $line',
    ({ option, line }) => {
      const letter = option.slice(1);
      const letters = ['', ...'abcdefghijklmnopqrstuvwxyz0123456789'];
      for (const before of letters) {
        for (const after of ['', 'x', './x', '3,4']) {
          expect([before, decide(`${line} -${before}${letter}${after}`)]).not.toEqual([before, 'allow']);
        }
      }
    },
  );

  it.each([
    ...['sort -oa b', 'sort -uo a b', 'sort --outpu=a', 'sort --compress-prog=./x a', 'git log --outpu=f', 'sort -o*'],
    ...['git diff --stat --ext-dif', 'git grep -O./x a', 'git grep --open-files=./x a', 'rg -nz a', 'date -s 12:00'],
    ...[
      'go env -w A=b',
      'go env --w=true A=b',
      'date --se=12:00',
      'file -Cm x',
      'git status -v',
      'find . -fprintf x y',
    ],
    ...['tar xf a', 'xargs x', 'fd -x ./x', 'curl -o x', 'env -S x', 'git -c a=b log', 'git --config-env=a=b log'],
    ...['git -p log', 'rg --hostname-bin=./x a', 'sort --o=a b', 'git log --show-sig', 'sdiff -o a b c'],
  ])('ask about %s', (source) => {
    expect(decide(source)).toBe('ask');
  });

  it.each(['PYTEST_ADDOPTS=-pevil pytest', 'PYTEST_PLUGINS=evil pytest', 'RIPGREP_CONFIG_PATH=./x rg a'])(
    'deny %s',
    (source) => {
      expect(decide(source)).toBe('deny');
    },
  );

  it.each([
    'sort -k2,2n a.txt',
    'git log -n5 --oneline',
    'rg -n TODO src',
    'go env GOPATH',
    'date -u +%F',
    'file a.png',
  ])('still allow %s', (source) => {
    expect(decide(source)).toBe('allow');
  });
});

describe('HOST-M5: commands that print repository contents', () => {
  it.each([
    ...[
      'git show HEAD~1:.env',
      'git show --stat HEAD~1:.env',
      'git show',
      'git log -p',
      'git log --patc',
      'git log -1 -U9',
    ],
    ...[
      'git log -SAKIA',
      'git log -GAKIA',
      'git log -L1,5:.env',
      'git log --cc',
      'git log -m',
      'git diff',
      'git diff HEAD~1',
    ],
    ...[
      'git diff --cached',
      'git diff --stat -p',
      'git diff --stat --word-dif',
      'git grep X HEAD~1',
      'git grep --cached X',
    ],
    ...[
      'git cat-file -p HEAD:.env',
      'git blame HEAD~1 -- .env',
      'git archive HEAD',
      'git reflog -p',
      'git format-patch -1',
    ],
    ...[
      'git whatchanged -p',
      'git annotate .env',
      'git bundle create x HEAD',
      'git fast-export HEAD',
      'git notes show',
    ],
  ])('need approval: %s', (source) => {
    expect(decide(source)).toBe('ask');
  });

  it.each(['git stash show -p', 'git checkout HEAD~1 -- .env'])('are denied: %s', (source) => {
    expect(decide(source)).toBe('deny');
  });

  it.each([
    'git log --oneline -5',
    'git log --stat',
    'git diff --stat',
    'git diff --name-only HEAD~1',
    'git status',
    'git ls-files',
  ])('are allowed if they show only names: %s', (source) => {
    expect(decide(source)).toBe('allow');
  });

  it('name the form that needs no approval', () => {
    const reading = parseCommand('git diff HEAD~1');
    expect(reading.ok && judgePlan(reading.plan, shippedCommandRules).reason).toMatch(
      /^It is allowed only with --stat or /,
    );
  });
});
