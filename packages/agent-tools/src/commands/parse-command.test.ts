import type { CommandPlan, CommandWord } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';

/** A plan as one line: what would be run, each literal word in ‹›, each pattern in ⟪⟫. */
function shown({ directory, pipelines }: CommandPlan): string {
  const joints = { always: ';', 'after-success': '&&', 'after-failure': '||' } as const;
  const texts = pipelines.map(({ when, commands }, index) => {
    const joint = index === 0 ? '' : `${joints[when]} `;
    return joint + commands.map(shownCommand).join(' | ');
  });
  return [...(directory === null ? [] : [`in ${directory}:`]), ...texts].join(' ');
}

function shownCommand({ assignments, words, redirections }: CommandPlan['pipelines'][0]['commands'][0]): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=‹${value}›`),
    ...words.map(shownWord),
    ...redirections.map((redirection) => `[${Object.values(redirection).join(' ')}]`),
  ].join(' ');
}

function shownWord(word: CommandWord): string {
  if (word.type === 'literal') {
    return `‹${word.text}›`;
  }
  const marks = { any: '*', one: '?' } as const;
  return `⟪${word.pieces.map((piece) => (piece.type === 'literal' ? piece.text : marks[piece.type])).join('·')}⟫`;
}

function read(source: string): string {
  const reading = parseCommand(source);
  return reading.ok ? shown(reading.plan) : `refused: ${reading.refusal.reason}`;
}

describe('a command line that is understood', () => {
  it.each([
    ['git status', '‹git› ‹status›'],
    [`echo 'a b' "c  d" e\\ f`, '‹echo› ‹a b› ‹c  d› ‹e f›'],
    [`echo 'it'\\''s' "a\\"b" "c\\nd" '$HOME'`, `‹echo› ‹it's› ‹a"b› ‹c\\nd› ‹$HOME›`],
    ['echo "" x', '‹echo› ‹› ‹x›'],
    ['ls *.ts src/?.js', '‹ls› ⟪*·.ts⟫ ⟪src/·?·.js⟫'],
    ['ls "a*"*.ts \\*.md', '‹ls› ⟪a*·*·.ts⟫ ‹*.md›'],
    ['CI=1 NODE_ENV="test" npm test', 'CI=‹1› NODE_ENV=‹test› ‹npm› ‹test›'],
    ['npm test && npm run build || echo failed; ls', '‹npm› ‹test› && ‹npm› ‹run› ‹build› || ‹echo› ‹failed› ; ‹ls›'],
    ['git log | head -5', '‹git› ‹log› | ‹head› ‹-5›'],
    ['npm test |& tail', '‹npm› ‹test› [errors-to-output] | ‹tail›'],
    ['cd "my app" && npm test', 'in my app: ‹npm› ‹test›'],
    ['npm test 2>&1', '‹npm› ‹test› [errors-to-output]'],
    ['a > out 2> err < in', '‹a› [to-file output out false] [to-file errors err false] [from-file in]'],
    ['a >> out', '‹a› [to-file output out true]'],
    ['a &> out', '‹a› [to-file both out false]'],
    ['a > /dev/null 2>/dev/null < /dev/null', '‹a› [discard output] [discard errors] [from-nothing]'],
    ['echo oops >&2', '‹echo› ‹oops› [output-to-errors]'],
    ['ls\npwd\n', '‹ls› ; ‹pwd›'],
    ['[ -f x ] && cat x', '‹[› ‹-f› ‹x› ‹]› && ‹cat› ‹x›'],
    ['./scripts/run.sh --a=b', '‹./scripts/run.sh› ‹--a=b›'],
    ["awk '$1 =~ /x/' a~ \\~", '‹awk› ‹$1 =~ /x/› ‹a~› ‹~›'],
    ["eslint 'src/**/*.ts'", '‹eslint› ‹src/**/*.ts›'],
    ['echo größe 漢字', '‹echo› ‹größe› ‹漢字›'],
  ])('%j', (source, expected) => {
    expect(read(source)).toBe(expected);
  });
});

describe('a command line that is refused', () => {
  it.each([
    ['', 'there is no command in it'],
    ['  \n', 'there is no command in it'],
    ['X=1', 'there is no program'],
    ['> file', 'there is no program'],
    ['echo "a', 'it is not a complete command line'],
    ['ls |', 'it is not a complete command line'],
    ['ls \\', 'it is not a complete command line'],
    ['ls # all', 'there is a comment in it, or a part that is not understood'],
    ['# all', 'there is no command in it'],
    ['echo #if \\\ntouch PWN', 'there is a comment in it, or a part that is not understood'],
    ['ls \\\n-l', 'there is a comment in it, or a part that is not understood'],
    ['ech\\\no x', 'a line that goes on with \\ is not supported'],
    ['echo $(touch PWN)', 'a command inside of a command, $(…) or `…`, is not run'],
    ['echo `touch PWN`', 'a command inside of a command, $(…) or `…`, is not run'],
    ['echo "a$(touch PWN)b"', 'a command inside of a command, $(…) or `…`, is not run'],
    ['cat <(touch PWN)', '<(…) and >(…) are not supported'],
    ['echo $HOME', 'a variable such as $NAME is not replaced'],
    [`echo $${'{x@P}'}`, 'a variable in braces is not replaced'],
    ['echo "$((1 + 1))"', 'arithmetic such as $((1 + 1)) is not done'],
    ['echo $[1 + 1]', 'arithmetic such as $((1 + 1)) is not done'],
    ['rec a$[>&2', '$ is not replaced'],
    ['echo "a$[1]"', 'arithmetic such as $((1 + 1)) is not done'],
    ['ls src/**/*.ts', '** is not supported'],
    ['ls ***', '** is not supported'],
    ['make DIR=~/x', '~ is not replaced'],
    ['ls a:~/x', '~ is not replaced'],
    ['ls "a="~/x', '~ is not replaced'],
    ['grep "a$" f', '$ is not replaced'],
    ["$'\\x74ouch' PWN", "$'…' is not supported"],
    ['echo $"x"', '$"…" is not supported'],
    ['{touch,PWN}', '{a,b} is not replaced'],
    ['ls [ab]', 'patterns such as [ab] are not supported'],
    ['ls @(a|b)', 'patterns such as @(a|b) are not supported'],
    ['/usr/bin/t?uch PWN', 'the name of the program is a pattern'],
    ['ls ~/x', '~ is not replaced'],
    ['A=/x:~/y ls', '~ is not replaced'],
    ['ls &', 'commands in the background (&) are not supported'],
    ['sleep 1000 & disown', 'commands in the background (&) are not supported'],
    ['! ls', '! and time before a command are not supported'],
    ['time ls', '! and time before a command are not supported'],
    ['if true; then ls; fi', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['(ls)', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['f() { ls; }', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    [':(){ :|:& };:', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['ls | { cat; }', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['cat <<E\nx\nE', 'text in the command (<< and <<<) is not supported'],
    ["bash <<<'touch PWN'", 'text in the command (<< and <<<) is not supported'],
    ['exec 3<>/dev/tcp/127.0.0.1/80', 'exec is a part of the shell, and no shell runs the command'],
    ['ls 3> x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls >& x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls 2>&-', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls {fd}> x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls > *.ts', 'the file of a redirection is a pattern'],
    ['ls > ""', 'redirections other than <, >, >> of output and errors are not supported'],
    ['export X=1', 'export is a part of the shell, and no shell runs the command'],
    ['eval ls', 'eval is a part of the shell, and no shell runs the command'],
    ['. ./x', '. is a part of the shell, and no shell runs the command'],
    ['A+=b ls', 'only NAME=value is supported before a command'],
    ['A[0]=b ls', 'only NAME=value is supported before a command'],
    ['A=(b) ls', 'only NAME=value is supported before a command'],
    ['cd x', 'cd is done in front of all other commands, with one directory'],
    ['cd x; ls', 'cd is done in front of all other commands, with one directory'],
    ['cd x || ls', 'cd is done in front of all other commands, with one directory'],
    ['cd - && ls', 'cd is done in front of all other commands, with one directory'],
    ['cd && ls', 'cd is done in front of all other commands, with one directory'],
    ['cd ~ && ls', '~ is not replaced'],
    ['ls && cd x && ls', 'cd is a part of the shell, and no shell runs the command'],
    ['"" x', 'the name of the program has characters that are not allowed'],
    ['ｌs', 'the name of the program has characters that are not allowed'],
    ['ls\r\ntouch PWN', 'there are characters in it that cannot be seen'],
    ['ls # \u2028touch PWN', 'there are characters in it that cannot be seen'],
    ['ls \u202egnp.x', 'there are characters in it that cannot be seen'],
    ['ls\0', 'there are characters in it that cannot be seen'],
    ['echo \ud800', 'there are characters in it that cannot be seen'],
    ['echo\u00a0x', 'there are characters in it that cannot be seen'],
    [`echo ${'x'.repeat(8_192)}`, 'the command is longer than 8192 characters'],
    [Array.from({ length: 51 }, () => 'ls').join(';'), 'there are more than 50 commands in it'],
  ])('%j', (source, reason) => {
    expect(read(source)).toBe(`refused: ${reason}`);
  });
});

describe('HOST-L4: what Bash reads in another way than the parser', () => {
  it.each(['q 0<(q)', 'q 12>(x)', 'q 0>(q) a', 'npm 0<1>&2', 'npm 0< 1>&2', 'npm <1>a', 'x=0<(q) npm'])(
    'is refused: %s',
    (source) => {
      expect(parseCommand(source).ok).toBe(false);
    },
  );

  it.each(["q '0<(q)'", 'q "0<(q)"', 'q 0\\<\\(q\\)', 'npm 0<1 >&2', "npm <'1' >&2", 'npm < a>&2'])(
    'is read where it is plain: %s',
    (source) => {
      expect(parseCommand(source).ok).toBe(true);
    },
  );
});
