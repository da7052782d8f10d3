import type { CommandRule } from './command-rule.ts';

const sandboxed = 'It runs inside the sandbox, which keeps it within the project and off the network.';
const looks = 'It only looks.';
const running = ['npm', 'pnpm', 'yarn'] as const;

/** Committed and staged contents can be secret although the file is masked, and so can contents removed since. */
const history =
  'It shows contents that the repository keeps, which can be keys and passwords of files that are hidden or gone.';

/** Options with which Git runs a program or writes a file. */
const programsOfGit = ['--output', '--ext-diff', '--textconv', '-O', '--open-files-in-pager', '--show-signature'];

/** Options with which Git prints lines of files. */
const contentsOfGit = [
  ...['-p', '-u', '--patch', '--patch-with-stat', '--patch-with-raw', '-U', '--unified', '-W', '--function-context'],
  ...['--binary', '--word-diff', '--word-diff-regex', '--color-words', '--check'],
];

const looking: readonly CommandRule[] = [
  {
    prefix: [['cat', 'head', 'tail', 'wc', 'ls', 'pwd', 'echo', 'printf', 'true', 'false', 'test', '[', 'which']],
    decision: 'allow',
    reason: looks,
    matches: ['cat package.json', 'ls -la src', 'echo done'],
  },
  {
    prefix: ['date'],
    decision: 'allow',
    reason: looks,
    unless: ['-s', '--set'],
    matches: ['date -u', 'date +%F'],
    notMatches: ['date -s 12:00', 'date --se=12:00'],
  },
  {
    prefix: ['file'],
    decision: 'allow',
    reason: looks,
    unless: ['-C', '--compile', '-z', '-Z', '--uncompress', '--uncompress-noreport'],
    matches: ['file logo.png'],
    notMatches: ['file -Cm magic', 'file --uncomp x.gz'],
  },
  {
    prefix: [['stat', 'du', 'df', 'basename', 'dirname', 'realpath', 'readlink', 'uname', 'nproc', 'sleep']],
    decision: 'allow',
    reason: looks,
    matches: ['du -sh node_modules', 'sleep 1'],
  },
  {
    prefix: [['grep', 'egrep', 'fgrep', 'cut', 'tr', 'comm', 'diff', 'cmp', 'nl', 'tac', 'jq', 'column']],
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
    notMatches: ['sort --compress-prog=./x names.txt', 'sort -uo out names.txt', 'sort -oout names.txt'],
  },
  {
    prefix: ['rg'],
    decision: 'allow',
    reason: looks,
    unless: ['--pre', '--hostname-bin', '-z', '--search-zip'],
    matches: ['rg -n TODO src'],
    notMatches: ['rg --pre ./x TODO', 'rg --pre=./x TODO', 'rg -nz TODO'],
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
    prefix: ['git', ['ls-files', 'rev-parse', 'describe', 'shortlog']],
    decision: 'allow',
    reason: looks,
    matches: ['git ls-files', 'git rev-parse HEAD'],
    notMatches: ['git -c core.pager=./x log'],
  },
  {
    prefix: ['git', 'status'],
    decision: 'allow',
    reason: looks,
    unless: ['-v', '--verbose'],
    matches: ['git status', 'git status --short'],
    notMatches: ['git status -sv'],
  },
  {
    prefix: ['git', 'log'],
    decision: 'allow',
    reason: 'It shows messages and file names, but no file contents.',
    unless: [...programsOfGit, ...contentsOfGit, '-S', '-G', '-L', '-m', '-c', '--cc', '--dd', '--remerge-diff'],
    matches: ['git log --oneline -5', 'git log --stat'],
    notMatches: ['git log -p', 'git log --patc', 'git log -L1,9:a.ts', 'git log -Skey', 'git log --outpu=f'],
  },
  {
    prefix: ['git', 'diff'],
    decision: 'allow',
    reason: 'It shows file names, but no file contents.',
    only: ['--stat', '--name-only', '--name-status', '--numstat', '--shortstat', '--summary', '--quiet'],
    unless: [...programsOfGit, ...contentsOfGit],
    matches: ['git diff --stat', 'git diff --name-only HEAD~1'],
    notMatches: ['git diff', 'git diff HEAD~1', 'git diff --stat -p', 'git diff --stat --ext-dif'],
  },
  {
    prefix: [
      'git',
      ['show', 'grep', 'blame', 'annotate', 'cat-file', 'archive', 'reflog', 'whatchanged', 'format-patch'],
    ],
    decision: 'ask',
    reason: history,
    matches: ['git show --stat HEAD~1:.env', 'git grep key HEAD~1', 'git cat-file -p HEAD'],
    notMatches: ['git diff --stat'],
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
    prefix: ['go', ['build', 'test', 'vet', 'fmt', 'run', 'list', 'doc', 'version']],
    decision: 'allow',
    reason: sandboxed,
    matches: ['go test ./...'],
    notMatches: ['go install x'],
  },
  {
    prefix: ['go', 'env'],
    decision: 'allow',
    reason: looks,
    unless: ['-w', '--w', '-u', '--u'],
    matches: ['go env GOPATH'],
    notMatches: ['go env -w GOFLAGS=-x', 'go env --w=true A=b'],
  },
  {
    prefix: [['mkdir', 'touch', 'cp', 'mv', 'rm', 'rmdir', 'ln', 'chmod', 'tee', 'sed', 'awk', 'uniq']],
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

/** The default rules, without settings. Every other command needs approval. */
export const shippedCommandRules: readonly CommandRule[] = [...looking, ...building, ...denied];
