import type { CommandWord, Redirection, SimpleCommand } from '@gemini-mcp/core';
import type { Assignment, Command, CommandArgument, Redirection as RedirectionNode } from 'unbash';
import { readRedirection } from './read-redirection.ts';
import { readLiteral, readWord } from './read-word.ts';
import { type Read, readAll, refuse } from './refuse.ts';
import { hintForShellWord } from './shell-words.ts';

/** Programs that are named in other characters could look like one that is not meant. */
const programName = /^(?:\[|[A-Za-z0-9._+/-]+)$/;

/** Reads a program with its arguments, variables and redirections. */
export function readSimpleCommand(command: Command): Read<SimpleCommand> {
  const { name, prefix, args, redirects } = command;
  if (name === undefined) {
    return refuse('there is no program', 'Name the program to run; NAME=value and > file go with one.');
  }
  const program = readProgram(name);
  const assignments = readAll(prefix.filter(isAssignment), readAssignment);
  const words = readAll(args, readArgument);
  const redirections = redirects.some((one) => joinsNext(one, redirects))
    ? refuse('a number between two redirections is not the name of a file to Bash', 'Put a blank after it.')
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
    return refuse(`${program.value} is a part of the shell, and no shell runs the command`, hint);
  }
  return programName.test(program.value)
    ? { ok: true, value: { type: 'literal', text: program.value } }
    : refuse('the name of the program has characters that are not allowed', 'Name the program itself.');
}

/** Whether Bash takes the file of a redirection for the descriptor of the next, as in `0<1>&2`. */
function joinsNext(one: RedirectionNode, all: readonly RedirectionNode[]): boolean {
  return one.type === 'Redirect' && /^\d+$/.test(one.target?.text ?? '') && all.some(({ pos }) => pos === one.end);
}

function isAssignment(node: Assignment | RedirectionNode): node is Assignment {
  return node.type === 'Assignment';
}

function readAssignment({ name, value, append, index }: Assignment): Read<SimpleCommand['assignments'][number]> {
  if (append === true || index !== undefined || value.type !== 'Word') {
    return refuse('only NAME=value is supported before a command', 'Write the whole value.');
  }
  const text = readLiteral(value, 'the value of a variable');
  return text.ok ? { ok: true, value: { name, value: text.value } } : text;
}

function readArgument(argument: CommandArgument): Read<CommandWord> {
  return argument.type === 'Word'
    ? readWord(argument)
    : refuse('NAME=value is not supported after a command', 'Write it before the command.');
}
