const alone = 'Leave it out: commands run without a shell, and one after the other.';

/** Words that a shell carries out itself, so that there is no program to run; each with what to write in its place. */
const hints: Readonly<Record<string, string>> = {
  '.': 'Run the program that needs it directly.',
  ':': 'Use true.',
  cd: 'Put `cd directory &&` before all else, once.',
  command: 'Use which to find a program.',
  eval: 'Write the command itself.',
  exec: 'Write the command itself.',
  export: 'Write NAME=value before the command that needs it.',
  pushd: 'Put `cd directory &&` before all else, once.',
  source: 'Run the program that needs it directly.',
  type: 'Use which to find a program.',
};

const others =
  'alias bg bind break builtin caller compgen complete compopt continue declare dirs disown enable exit fc fg getopts hash help history jobs let local logout mapfile popd read readarray readonly return set shift shopt suspend times trap typeset ulimit umask unalias unset wait';

const known: ReadonlyMap<string, string> = new Map([
  ...others.split(' ').map((word) => [word, alone] as const),
  ...Object.entries(hints),
]);

/** What to write in the place of a word that only a shell knows; undefined for the name of a program. */
export function hintForShellWord(program: string): string | undefined {
  return known.get(program);
}
