import type { CommandWord, OutputStreams, Redirection, SimpleCommand } from '@gemini-mcp/core';
import type { Assignment, Command, CommandArgument, Redirect, Redirection as RedirectionNode } from 'unbash';
import { readLiteral, readWord } from './read-word.ts';
import { type Read, readAll, refuseCommand } from './refuse.ts';

/** Names in other characters could look like those of other programs. */
const programName = /^(?:\[|[A-Za-z0-9._+/-]+)$/;

/** Reads a program with its arguments, variables and redirections. */
export function readSimpleCommand(command: Command): Read<SimpleCommand> {
  const { name, prefix, args, redirects } = command;
  if (name === undefined) {
    return refuseCommand('there is no program', 'Name the program to run; NAME=value and > file go with one.');
  }
  const program = readProgram(name);
  const assignments = readAll(prefix.filter(isAssignment), readAssignment);
  const words = readAll(args, readArgument);
  const redirections = redirects.some((one) => joinsNext(one, redirects))
    ? refuseCommand('a number between two redirections is not the name of a file to Bash', 'Put a space after it.')
    : readAll<RedirectionNode, Redirection>(redirects, readRedirection);
  if (!program.ok) {
    return program;
  }
  if (!assignments.ok) {
    return assignments;
  }
  if (!words.ok) {
    return words;
  }
  if (!redirections.ok) {
    return redirections;
  }
  const value = {
    assignments: assignments.value,
    words: [program.value, ...words.value] as const,
    redirections: redirections.value,
  };
  return { ok: true, value };
}

function readProgram(name: NonNullable<Command['name']>): Read<CommandWord> {
  const program = readLiteral(name, 'the name of the program');
  if (!program.ok) {
    return program;
  }
  const hint = hintForShellWord(program.value);
  if (hint !== undefined) {
    return refuseCommand(`${program.value} is part of the shell, and the command runs without a shell`, hint);
  }
  return programName.test(program.value)
    ? { ok: true, value: { type: 'literal', text: program.value } }
    : refuseCommand('the name of the program has characters that are not allowed', 'Name the program itself.');
}

/** Whether Bash would read the file of a redirection as the descriptor of the next, as in `0<1>&2`. */
function joinsNext(one: RedirectionNode, all: readonly RedirectionNode[]): boolean {
  return one.type === 'Redirect' && /^\d+$/.test(one.target?.text ?? '') && all.some(({ pos }) => pos === one.end);
}

function isAssignment(node: Assignment | RedirectionNode): node is Assignment {
  return node.type === 'Assignment';
}

function readAssignment({ name, value, append, index }: Assignment): Read<SimpleCommand['assignments'][number]> {
  if (append === true || index !== undefined || value.type !== 'Word') {
    return refuseCommand('only NAME=value is supported before a command', 'Write the whole value.');
  }
  const text = readLiteral(value, 'the value of a variable');
  return text.ok ? { ok: true, value: { name, value: text.value } } : text;
}

function readArgument(argument: CommandArgument): Read<CommandWord> {
  return argument.type === 'Word'
    ? readWord(argument)
    : refuseCommand('NAME=value is not supported after a command', 'Write it before the command.');
}

const alone = 'Leave it out: commands run without a shell, and one after the other.';

/** Words that a shell executes itself, so that there is no program to run; each with a replacement. */
const hints: Readonly<Record<string, string>> = {
  '.': 'Run the program that needs it directly.',
  ':': 'Use true.',
  cd: 'Put `cd directory &&` before all other commands, once.',
  command: 'Use which to find a program.',
  eval: 'Write the command itself.',
  exec: 'Write the command itself.',
  export: 'Write NAME=value before the command that needs it.',
  pushd: 'Put `cd directory &&` before all other commands, once.',
  source: 'Run the program that needs it directly.',
  type: 'Use which to find a program.',
};

const others =
  'alias bg bind break builtin caller compgen complete compopt continue declare dirs disown enable exit fc fg getopts hash help history jobs let local logout mapfile popd read readarray readonly return set shift shopt suspend times trap typeset ulimit umask unalias unset wait';

const known: ReadonlyMap<string, string> = new Map([
  ...others.split(' ').map((word) => [word, alone] as const),
  ...Object.entries(hints),
]);

/** The replacement for a word that only a shell knows; undefined for the name of a program. */
function hintForShellWord(program: string): string | undefined {
  return known.get(program);
}

const nothing = '/dev/null';

const noDescriptors = [
  'redirections other than <, >, >> of output and errors are not supported',
  'Use > file, >> file, < file, 2> file or 2>&1.',
] as const;

/** Reads the target of output and errors, or the source of input: a file, nothing, or each other. */
function readRedirection(node: RedirectionNode): Read<Redirection> {
  if (node.type !== 'Redirect') {
    return refuseCommand(
      'here-documents and here-strings (<< and <<<) are not supported',
      'Write the text into a file with put_file first.',
    );
  }
  if (node.target === undefined || node.descriptor?.type === 'FileDescriptorVariable') {
    return refuseCommand(...noDescriptors);
  }
  const target = readLiteral(node.target, 'the file of a redirection');
  return target.ok ? toRedirection(node, target.value) : target;
}

function toRedirection({ operator, descriptor }: Redirect, target: string): Read<Redirection> {
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  switch (operator) {
    case '<':
      return number === null || number === 0 ? found(fromFile(target)) : refuseCommand(...noDescriptors);
    case '>':
    case '>|':
    case '>>':
      return toFile(streamsOf(number), target, operator === '>>');
    case '&>':
    case '&>>':
      return toFile('both', target, operator === '&>>');
    case '>&':
      return duplicate(number, target);
    case '<&':
    case '<>':
      return refuseCommand(...noDescriptors);
  }
}

function streamsOf(number: number | null): OutputStreams | null {
  if (number === 2) {
    return 'errors';
  }
  return number === null || number === 1 ? 'output' : null;
}

function fromFile(path: string): Redirection {
  return path === nothing ? { type: 'from-nothing' } : { type: 'from-file', path };
}

function toFile(streams: OutputStreams | null, path: string, appends: boolean): Read<Redirection> {
  if (streams === null || path === '') {
    return refuseCommand(...noDescriptors);
  }
  return found(path === nothing ? { type: 'discard', streams } : { type: 'to-file', streams, path, appends });
}

/** `2>&1`, `1>&2`, `>&2`. Other forms of `>&` that a shell supports, such as `>& file`, are refused. */
function duplicate(number: number | null, target: string): Read<Redirection> {
  if (number === 2 && target === '1') {
    return found({ type: 'errors-to-output' });
  }
  return (number === null || number === 1) && target === '2'
    ? found({ type: 'output-to-errors' })
    : refuseCommand(...noDescriptors);
}

function found(redirection: Redirection): Read<Redirection> {
  return { ok: true, value: redirection };
}
