import type { CommandPlan, CommandWord } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';

/** A plan as one line: the commands to run, each literal word in ‹›, each pattern in ⟪⟫. */
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
    ['', 'it contains no command'],
    ['  \n', 'it contains no command'],
    ['X=1', 'there is no program'],
    ['> file', 'there is no program'],
    ['echo "a', 'it is not a complete command line'],
    ['ls |', 'it is not a complete command line'],
    ['ls \\', 'it is not a complete command line'],
    ['ls # all', 'it contains a comment, or a part that is not understood'],
    ['# all', 'it contains no command'],
    ['echo #if \\\ntouch PWN', 'it contains a comment, or a part that is not understood'],
    ['ls \\\n-l', 'it contains a comment, or a part that is not understood'],
    ['ech\\\no x', 'a line that ends in \\ is not supported'],
    ['echo $(touch PWN)', 'a command inside a command, $(…) or `…`, is not run'],
    ['echo `touch PWN`', 'a command inside a command, $(…) or `…`, is not run'],
    ['echo "a$(touch PWN)b"', 'a command inside a command, $(…) or `…`, is not run'],
    ['cat <(touch PWN)', '<(…) and >(…) are not supported'],
    ['echo $HOME', 'a variable such as $NAME is not expanded'],
    [`echo $${'{x@P}'}`, 'a variable in braces is not expanded'],
    ['echo "$((1 + 1))"', 'arithmetic such as $((1 + 1)) is not evaluated'],
    ['echo $[1 + 1]', 'arithmetic such as $((1 + 1)) is not evaluated'],
    ['rec a$[>&2', '$ is not expanded'],
    ['echo "a$[1]"', 'arithmetic such as $((1 + 1)) is not evaluated'],
    ['ls src/**/*.ts', '** is not supported'],
    ['ls ***', '** is not supported'],
    ['make DIR=~/x', '~ is not expanded'],
    ['ls a:~/x', '~ is not expanded'],
    ['ls "a="~/x', '~ is not expanded'],
    ['grep "a$" f', '$ is not expanded'],
    ["$'\\x74ouch' PWN", "$'…' is not supported"],
    ['echo $"x"', '$"…" is not supported'],
    ['{touch,PWN}', '{a,b} is not expanded'],
    ['ls [ab]', 'patterns such as [ab] are not supported'],
    ['ls @(a|b)', 'patterns such as @(a|b) are not supported'],
    ['/usr/bin/t?uch PWN', 'the name of the program is a pattern'],
    ['ls ~/x', '~ is not expanded'],
    ['A=/x:~/y ls', '~ is not expanded'],
    ['ls &', 'commands in the background (&) are not supported'],
    ['sleep 1000 & disown', 'commands in the background (&) are not supported'],
    ['! ls', '! and time before a command are not supported'],
    ['time ls', '! and time before a command are not supported'],
    ['if true; then ls; fi', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['(ls)', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['f() { ls; }', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    [':(){ :|:& };:', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['ls | { cat; }', 'loops, conditions, functions, ( ) and [[ ]] are not supported'],
    ['cat <<E\nx\nE', 'here-documents and here-strings (<< and <<<) are not supported'],
    ["bash <<<'touch PWN'", 'here-documents and here-strings (<< and <<<) are not supported'],
    ['exec 3<>/dev/tcp/127.0.0.1/80', 'exec is part of the shell, and the command runs without a shell'],
    ['ls 3> x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls >& x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls 2>&-', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls {fd}> x', 'redirections other than <, >, >> of output and errors are not supported'],
    ['ls > *.ts', 'the file of a redirection is a pattern'],
    ['ls > ""', 'redirections other than <, >, >> of output and errors are not supported'],
    ['export X=1', 'export is part of the shell, and the command runs without a shell'],
    ['eval ls', 'eval is part of the shell, and the command runs without a shell'],
    ['. ./x', '. is part of the shell, and the command runs without a shell'],
    ['A+=b ls', 'only NAME=value is supported before a command'],
    ['A[0]=b ls', 'only NAME=value is supported before a command'],
    ['A=(b) ls', 'only NAME=value is supported before a command'],
    ['cd x', 'cd is supported only before all other commands, with one directory'],
    ['cd x; ls', 'cd is supported only before all other commands, with one directory'],
    ['cd x || ls', 'cd is supported only before all other commands, with one directory'],
    ['cd - && ls', 'cd is supported only before all other commands, with one directory'],
    ['cd && ls', 'cd is supported only before all other commands, with one directory'],
    ['cd ~ && ls', '~ is not expanded'],
    ['ls && cd x && ls', 'cd is part of the shell, and the command runs without a shell'],
    ['"" x', 'the name of the program has characters that are not allowed'],
    ['ｌs', 'the name of the program has characters that are not allowed'],
    ['ls\r\ntouch PWN', 'it contains invisible characters'],
    ['ls # \u2028touch PWN', 'it contains invisible characters'],
    ['ls \u202egnp.x', 'it contains invisible characters'],
    ['ls\0', 'it contains invisible characters'],
    ['echo \ud800', 'it contains invisible characters'],
    ['echo\u00a0x', 'it contains invisible characters'],
    [`echo ${'x'.repeat(8_192)}`, 'the command is longer than 8192 characters'],
    [Array.from({ length: 51 }, () => 'ls').join(';'), 'it contains more than 50 commands'],
  ])('%j', (source, reason) => {
    expect(read(source)).toBe(`refused: ${reason}`);
  });
});

describe('HOST-L4: text that Bash and the parser read differently', () => {
  it.each(['q 0<(q)', 'q 12>(x)', 'q 0>(q) a', 'npm 0<1>&2', 'npm 0< 1>&2', 'npm <1>a', 'x=0<(q) npm'])(
    'is refused: %s',
    (source) => {
      expect(parseCommand(source).ok).toBe(false);
    },
  );

  it.each(["q '0<(q)'", 'q "0<(q)"', 'q 0\\<\\(q\\)', 'npm 0<1 >&2', "npm <'1' >&2", 'npm < a>&2'])(
    'is parsed if plain: %s',
    (source) => {
      expect(parseCommand(source).ok).toBe(true);
    },
  );
});
