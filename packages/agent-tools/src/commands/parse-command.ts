import type {
  CommandPipeline,
  CommandPlan,
  CommandWord,
  OutputStreams,
  Redirection,
  SimpleCommand,
} from '@gemini-mcp/core';
import type { CommandReading } from '@gemini-mcp/core/internal';
import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandArgument,
  type CommandNode,
  forEachChild,
  type PipelineNode,
  parse,
  type Redirect,
  type Redirection as RedirectionNode,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { readLiteral, readWord } from './read-word.ts';
import { type Read, readAll, refuseCommand } from './refuse.ts';

/** In UTF-16 code units. */
const maxCharacters = 8_192;

/** Blanks other than spaces, tabs and line ends; invisible and bidirectional control characters, NUL and unpaired surrogates. */
const hidden = /[^\P{C}\t\n]|[^\P{Z} ]/u;

/**
 * Parses a command line as Bash would, as far as it can run without a shell: programs with literal words and patterns of `*` and `?`,
 * joined by `&&`, `||`, `;` and `|`, with variables before them and redirections, and a leading `cd directory &&`. Refuses everything else,
 * with a hint for a model: a command that is not fully understood never runs. Never throws.
 */
export function parseCommand(source: string): CommandReading {
  const read = readSource(source);
  return read.ok ? { ok: true, plan: read.value } : read;
}

function readSource(source: string): Read<CommandPlan> {
  if (source.length > maxCharacters) {
    return refuseCommand(
      `the command is longer than ${maxCharacters} characters`,
      'Write a script with put_file, and run that.',
    );
  }
  if (hidden.test(source)) {
    return refuseCommand('it contains invisible characters', 'Write it in plain characters.');
  }
  const script = parse(source);
  if (script.errors !== undefined || script.shebang !== undefined || source.endsWith('\\')) {
    return refuseCommand('it is not a complete command line', 'Check its quotes and operators.');
  }
  const joined = joinedIn(script.commands);
  if (!joined.ok) {
    return joined;
  }
  const plan = readPlan(joined.value);
  // The refusals of a plan are more specific.
  return plan.ok && unaccountedText(source, script) !== ''
    ? refuseCommand('it contains a comment, or a part that is not understood', 'Leave comments out.')
    : plan;
}

const maxCommands = 50;

/** A command or a pipeline, and the condition on which it runs. */
type Joined = { readonly node: PipelineNode; readonly when: CommandPipeline['when'] };

const whenAfter = { '&&': 'after-success', '||': 'after-failure' } as const;

/** The commands and pipelines of a script, in order. */
function joinedIn(statements: readonly Statement[]): Read<readonly Joined[]> {
  const read = readAll(statements, ({ command, background }) =>
    background === true
      ? refuseCommand('commands in the background (&) are not supported', 'Leave & out: a long command can be polled.')
      : ({ ok: true, value: joinedOf(command) } as const),
  );
  return read.ok ? { ok: true, value: read.value.flat() } : read;
}

function joinedOf(command: PipelineNode | AndOr): readonly Joined[] {
  if (command.type !== 'AndOr') {
    return [{ node: command, when: 'always' }];
  }
  return command.commands.map((node, index) => {
    const operator = command.operators[index - 1];
    return { node, when: operator === undefined ? 'always' : whenAfter[operator] };
  });
}

/** Reads all of them; a leading `cd directory &&` sets the directory of the rest. */
function readPlan(all: readonly Joined[]): Read<CommandPlan> {
  const directory = readDirectory(all);
  if (!directory.ok) {
    return directory;
  }
  const pipelines = readAll(directory.value === null ? all : all.slice(1), readPipeline);
  if (!pipelines.ok) {
    return pipelines;
  }
  const [first, ...others] = pipelines.value;
  if (first === undefined) {
    return refuseCommand('it contains no command', 'Name the program to run.');
  }
  const count = pipelines.value.reduce((sum, { commands }) => sum + commands.length, 0);
  return count > maxCommands
    ? refuseCommand(`it contains more than ${maxCommands} commands`, 'Run them in several calls.')
    : { ok: true, value: { directory: directory.value, pipelines: [{ ...first, when: 'always' }, ...others] } };
}

/** Null if the first command is not `cd`. */
function readDirectory([first, second]: readonly Joined[]): Read<string | null> {
  if (first === undefined || first.node.type !== 'Command' || first.node.name?.value !== 'cd') {
    return { ok: true, value: null };
  }
  const target = targetOfCd(first.node);
  if (target === null || second?.when !== 'after-success') {
    return refuseCommand(
      'cd is supported only before all other commands, with one directory',
      'Write cd directory && command.',
    );
  }
  return readLiteral(target, 'the directory');
}

function targetOfCd({ prefix, suffix }: Command): Extract<Command['suffix'][number], { readonly type: 'Word' }> | null {
  const [target, ...others] = suffix;
  const isPlain = prefix.length + others.length === 0 && target?.type === 'Word' && !/^-/.test(target.value);
  return isPlain && target.value !== '' ? target : null;
}

function readPipeline({ node, when }: Joined): Read<CommandPipeline> {
  if (node.type !== 'Pipeline') {
    const command = readCommand(node);
    return command.ok ? { ok: true, value: { when, commands: [command.value] } } : command;
  }
  if (node.prefixes.length > 0) {
    return refuseCommand(
      '! and time before a command are not supported',
      'Leave them out: each result includes the exit code and the time.',
    );
  }
  const commands = readAll(node.commands, readCommand);
  if (!commands.ok) {
    return commands;
  }
  const [first, ...others] = commands.value.map((command, index) =>
    node.operators[index] === '|&' ? withErrors(command) : command,
  );
  return first === undefined
    ? refuseCommand('it contains no command', 'Name the program to run.')
    : { ok: true, value: { when, commands: [first, ...others] } };
}

/** `|&` means `2>&1 |`, applied after the other redirections. */
function withErrors(command: SimpleCommand): SimpleCommand {
  return { ...command, redirections: [...command.redirections, { type: 'errors-to-output' }] };
}

function readCommand(node: CommandNode): Read<SimpleCommand> {
  return node.type === 'Command'
    ? readSimpleCommand(node)
    : refuseCommand(
        'loops, conditions, functions, ( ) and [[ ]] are not supported',
        'Write a script with put_file and run it, or run the commands one after the other.',
      );
}

/** These are read from their whole text. */
const accounted: ReadonlySet<SyntaxNode['type']> = new Set(['Word', 'Assignment', 'Redirect']);

/**
 * The text of a command line outside its words, variables and redirections, without blanks and the operators that join commands: comments,
 * and anything else that a parser skips. Empty if every character is accounted for.
 */
function unaccountedText(source: string, root: SyntaxNode): string {
  const found: SyntaxNode[] = [];
  const visit = (node: SyntaxNode): void => {
    if (accounted.has(node.type)) {
      found.push(node);
    } else {
      forEachChild(node, visit);
    }
  };
  visit(root);
  let rest = '';
  let from = 0;
  for (const { pos, end } of found.toSorted((one, other) => one.pos - other.pos)) {
    rest += source.slice(from, pos);
    from = Math.max(from, end);
  }
  return (rest + source.slice(from)).replace(/[ \t\n;&|]/g, '');
}

/** Names in other characters could look like those of other programs. */
const programName = /^(?:\[|[A-Za-z0-9._+/-]+)$/;

/** Reads a program with its arguments, variables and redirections. */
function readSimpleCommand(command: Command): Read<SimpleCommand> {
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
