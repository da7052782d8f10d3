import type { CommandWord } from '../ports/workspace/command-plan.ts';
import { unwrapCommand } from './judge-command.ts';

/** How many words identify what a program does, if it takes more than its name. */
const wordsThatTell: Readonly<Record<string, number>> = {
  bundle: 3,
  cargo: 2,
  composer: 2,
  deno: 2,
  docker: 3,
  dotnet: 2,
  git: 2,
  go: 2,
  gradle: 2,
  just: 2,
  kubectl: 2,
  make: 2,
  mvn: 2,
  npm: 2,
  pip: 2,
  pnpm: 2,
  poetry: 2,
  python: 3,
  python3: 3,
  rake: 2,
  task: 2,
  turbo: 2,
  uv: 2,
  yarn: 2,
};

/** Words whose next word names what runs. */
const running: readonly string[] = ['run', 'run-script', 'exec', 'compose'];

/** Programs and words that run anything that follows: an approval of one use must not cover the next. */
const openEnded: ReadonlySet<string> = new Set(
  [
    'sh bash dash zsh fish ksh mksh ash csh tcsh rc elvish nu pwsh powershell cmd busybox toybox',
    'env xargs find fd parallel watch entr script flock setsid stdbuf ionice chrt taskset time nice nohup timeout command builtin source .',
    'sudo su doas runuser pkexec chroot unshare nsenter setpriv bwrap ssh',
    'npx bunx uvx pipx exec dlx x eval tsx ts-node nodemon hyperfine expect strace ltrace gdb lldb valgrind',
    'awk gawk mawk nawk sed perl ruby irb node nodejs bun php lua luajit python pypy ipython tclsh wish guile racket sbcl clojure',
    'scala groovy jshell java kotlin ghci runghc ocaml erl elixir iex julia r rscript octave swift osascript',
    'vim vi nvim ed ex emacs nano less more man curl wget nc ncat socat',
  ].flatMap((names) => names.split(' ')),
);

/** As a case-insensitive file system finds it, and for any version: `Python3.12` is `python`. */
function familyOf(program: string): string {
  return program
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/[\d.-]+$/, '');
}

function isOpenEnded(word: string): boolean {
  return openEnded.has(word) || openEnded.has(familyOf(word));
}

/**
 * The words that a lasting approval covers, as few as identify the command: `git status` of `git status --short`. Null for commands that cannot get
 * one, because the same words can run anything.
 */
export function lastingPrefix(words: readonly CommandWord[]): readonly [string, ...string[]] | null {
  const texts = unwrapCommand(words).map((word) => (word.type === 'literal' ? word.text : null));
  const [program, second] = texts;
  if (program == null || isModuleOfPython(texts)) {
    return program == null ? null : prefixOf(texts, 3);
  }
  if (isOpenEnded(program) || program.includes('/')) {
    return null;
  }
  const count = Object.hasOwn(wordsThatTell, program) ? (wordsThatTell[program] ?? 1) : 1;
  return prefixOf(texts, second != null && running.includes(second) ? Math.max(count, 3) : count);
}

function isModuleOfPython([program, option]: readonly (string | null)[]): boolean {
  return (program === 'python' || program === 'python3') && option === '-m';
}

/** Every word must exist, and must neither set an option nor run the words that follow. */
function prefixOf(texts: readonly (string | null)[], count: number): readonly [string, ...string[]] | null {
  const [program, ...others] = texts.slice(0, count);
  const isNarrow = others.every(
    (text, index) => text !== null && !isOpenEnded(text) && (!text.startsWith('-') || (index === 0 && text === '-m')),
  );
  return program == null || others.length < count - 1 || !isNarrow
    ? null
    : [program, ...others.filter((text) => text !== null)];
}
