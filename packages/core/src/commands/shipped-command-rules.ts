import type { CommandRule } from './command-rule.ts';

const sandboxed = 'It runs inside the sandbox, which keeps it within the project and off the network.';
const looks = 'It only looks.';
const running = ['npm', 'pnpm', 'yarn'] as const;

const looking: readonly CommandRule[] = [
  {
    prefix: [
      ['cat', 'head', 'tail', 'wc', 'ls', 'pwd', 'echo', 'printf', 'true', 'false', 'test', '[', 'which', 'date'],
    ],
    decision: 'allow',
    reason: looks,
    matches: ['cat package.json', 'ls -la src', 'echo done'],
  },
  {
    prefix: [['stat', 'file', 'du', 'df', 'basename', 'dirname', 'realpath', 'readlink', 'uname', 'nproc', 'sleep']],
    decision: 'allow',
    reason: looks,
    matches: ['du -sh node_modules', 'sleep 1'],
  },
  {
    prefix: [['grep', 'egrep', 'fgrep', 'cut', 'tr', 'uniq', 'comm', 'diff', 'cmp', 'nl', 'tac', 'jq', 'column']],
    decision: 'allow',
    reason: looks,
    matches: ['grep -rn TODO src', 'diff a.txt b.txt'],
  },
  {
    prefix: ['sort'],
    decision: 'allow',
    reason: looks,
    unless: ['-o', '--output', '--compress-program'],
    matches: ['sort names.txt'],
    notMatches: ['sort --compress-program=./x names.txt', 'sort -o out names.txt'],
  },
  {
    prefix: ['rg'],
    decision: 'allow',
    reason: looks,
    unless: ['--pre', '--hostname-bin', '-z', '--search-zip'],
    matches: ['rg -n TODO src'],
    notMatches: ['rg --pre ./x TODO', 'rg --pre=./x TODO'],
  },
  {
    prefix: ['find'],
    decision: 'allow',
    reason: looks,
    unless: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
    matches: ['find src -name "*.ts"'],
    notMatches: ['find . -name x -delete', 'find . -exec rm x'],
  },
  {
    prefix: [
      'git',
      ['status', 'log', 'diff', 'show', 'blame', 'ls-files', 'rev-parse', 'describe', 'shortlog', 'grep'],
    ],
    decision: 'allow',
    reason: looks,
    unless: ['--output', '--ext-diff', '--textconv', '-O', '--open-files-in-pager'],
    matches: ['git status', 'git diff --stat', 'git log --oneline -5'],
    notMatches: ['git -c core.pager=./x log', 'git diff --output=x'],
  },
];

const building: readonly CommandRule[] = [
  {
    prefix: [running, ['test', 't', 'run', 'run-script']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['npm test', 'pnpm run build', 'yarn test'],
    notMatches: ['npm install', 'npm exec x'],
  },
  {
    prefix: [
      ['pnpm', 'yarn'],
      ['vitest', 'jest', 'tsc', 'eslint', 'biome', 'prettier', 'mocha', 'turbo'],
    ],
    decision: 'allow',
    reason: sandboxed,
    matches: ['pnpm vitest run', 'yarn tsc'],
    notMatches: ['pnpm dlx x'],
  },
  {
    prefix: [
      ['tsc', 'eslint', 'biome', 'prettier', 'vitest', 'jest', 'mocha', 'turbo', 'ruff', 'mypy', 'black', 'pytest'],
    ],
    decision: 'allow',
    reason: sandboxed,
    matches: ['tsc --noEmit', 'eslint .', 'pytest -q'],
  },
  {
    prefix: [['node', 'python', 'python3', 'ruby', 'php', 'deno', 'bun']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['node script.js', 'python -m pytest', "node -e 'console.log(1)'"],
  },
  {
    prefix: [['make', 'cmake', 'ninja', 'just', 'gradle', 'mvn', 'javac', 'java', 'gcc', 'g++', 'clang', 'rustc']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['make test', 'cmake --build build'],
  },
  {
    prefix: ['cargo', ['check', 'build', 'test', 'clippy', 'fmt', 'run', 'bench', 'doc', 'tree', 'metadata']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['cargo check', 'cargo test'],
    notMatches: ['cargo install x', 'cargo publish'],
  },
  {
    prefix: ['go', ['build', 'test', 'vet', 'fmt', 'run', 'list', 'doc', 'env', 'version']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['go test ./...'],
    notMatches: ['go install x'],
  },
  {
    prefix: [['mkdir', 'touch', 'cp', 'mv', 'rm', 'rmdir', 'ln', 'chmod', 'tee', 'sed', 'awk']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['mkdir -p dist', 'rm -rf dist', "sed -n '1,20p' a.ts"],
  },
];

const denied: readonly CommandRule[] = [
  {
    prefix: [['sudo', 'su', 'doas', 'runuser', 'pkexec']],
    decision: 'deny',
    reason: 'Commands run as the user alone. Tell the user in the answer which command to run.',
    matches: ['sudo apt-get install jq'],
  },
  {
    prefix: [['ssh', 'scp', 'sftp', 'rsync', 'telnet', 'nc', 'ncat', 'socat', 'ftp']],
    decision: 'deny',
    reason: 'Commands reach no other machine. Say in the answer what should be sent or fetched.',
    matches: ['ssh host', 'nc -l 80'],
  },
  {
    prefix: [
      'git',
      ['push', 'commit', 'reset', 'checkout', 'rebase', 'merge', 'stash', 'clean', 'config', 'tag', 'am'],
    ],
    decision: 'deny',
    reason: "The repository is the user's: change files, and leave commits and branches to the user.",
    matches: ['git commit -m x', 'git reset --hard', 'git push'],
  },
  {
    prefix: [
      ['shutdown', 'reboot', 'halt', 'poweroff', 'mount', 'umount', 'insmod', 'modprobe', 'systemctl', 'service'],
    ],
    decision: 'deny',
    reason: 'Commands change the project, not the machine.',
    matches: ['systemctl restart nginx'],
  },
];

/** The rules that hold without settings. Every other command is asked about. */
export const shippedCommandRules: readonly CommandRule[] = [...looking, ...building, ...denied];
