import type { CommandPipeline, CommandPlan, SimpleCommand } from '@gemini-mcp/core';
import type { CommandReading } from '@gemini-mcp/core/internal';
import {
  type AndOr,
  type Command,
  type CommandNode,
  forEachChild,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { readSimpleCommand } from './read-simple-command.ts';
import { readLiteral } from './read-word.ts';
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
