import type { CommandPipeline, CommandPlan, SimpleCommand } from '@gemini-mcp/core';
import type { AndOr, Command, CommandNode, PipelineNode, Statement } from 'unbash';
import { readSimpleCommand } from './read-simple-command.ts';
import { readLiteral } from './read-word.ts';
import { type Read, readAll, refuse } from './refuse.ts';

const maxCommands = 50;

/** A command or a pipeline, and when it runs. */
export type Joined = { readonly node: PipelineNode; readonly when: CommandPipeline['when'] };

const whenAfter = { '&&': 'after-success', '||': 'after-failure' } as const;

/** The commands and pipelines of a script, in the order in which they run. */
export function joinedIn(statements: readonly Statement[]): Read<readonly Joined[]> {
  const read = readAll(statements, ({ command, background }) =>
    background === true
      ? refuse(
          'commands in the background (&) are not supported',
          'Leave & out: a command that takes long can be polled.',
        )
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

/** Reads all of them; `cd directory &&` in front makes the directory of the rest. */
export function readPlan(all: readonly Joined[]): Read<CommandPlan> {
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
    return refuse('there is no command in it', 'Name the program to run.');
  }
  const count = pipelines.value.reduce((sum, { commands }) => sum + commands.length, 0);
  return count > maxCommands
    ? refuse(`there are more than ${maxCommands} commands in it`, 'Run them in several calls.')
    : { ok: true, value: { directory: directory.value, pipelines: [{ ...first, when: 'always' }, ...others] } };
}

/** Null where the first command is no `cd`. */
function readDirectory([first, second]: readonly Joined[]): Read<string | null> {
  if (first === undefined || first.node.type !== 'Command' || first.node.name?.value !== 'cd') {
    return { ok: true, value: null };
  }
  const target = targetOfCd(first.node);
  if (target === null || second?.when !== 'after-success') {
    return refuse('cd is done in front of all other commands, with one directory', 'Write cd directory && command.');
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
    return refuse(
      '! and time before a command are not supported',
      'Leave them out: each result has exit code and time.',
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
    ? refuse('there is no command in it', 'Name the program to run.')
    : { ok: true, value: { when, commands: [first, ...others] } };
}

/** `|&` is `2>&1 |`, done after the other redirections. */
function withErrors(command: SimpleCommand): SimpleCommand {
  return { ...command, redirections: [...command.redirections, { type: 'errors-to-output' }] };
}

function readCommand(node: CommandNode): Read<SimpleCommand> {
  return node.type === 'Command'
    ? readSimpleCommand(node)
    : refuse(
        'loops, conditions, functions, ( ) and [[ ]] are not supported',
        'Write a script with put_file and run it, or run the commands one after the other.',
      );
}
