import type { CommandPlan, CommandWord, SimpleCommand } from '@gemini-mcp/core';

/** The programs that a shell can be made to record; the first one succeeds, the second one fails. */
const programs: readonly string[] = ['rec', 'nok'];

/**
 * The record that running a plan should leave: the variables A and B, the program and its words, for each command that runs. Null if it runs a
 * program that records nothing, or depends on files.
 */
export function expectedCalls({ directory, pipelines }: CommandPlan): readonly string[] | null {
  const commands = pipelines.flatMap((pipeline) => pipeline.commands);
  if (directory !== null || !commands.every(isRecorded)) {
    return null;
  }
  const calls: string[] = [];
  let hasSucceeded = true;
  for (const { when, commands: piped } of pipelines) {
    if (when === 'always' || hasSucceeded === (when === 'after-success')) {
      calls.push(...piped.map(callOf));
      hasSucceeded = textOf(lastProgram(piped)) === 'rec';
    }
  }
  return calls;
}

function lastProgram(piped: readonly [SimpleCommand, ...SimpleCommand[]]): CommandWord {
  return (piped.at(-1) ?? piped[0]).words[0];
}

function isRecorded({ words: [program], assignments, redirections }: SimpleCommand): boolean {
  return (
    programs.includes(textOf(program)) &&
    assignments.every(({ name }) => name === 'A' || name === 'B') &&
    redirections.every((redirection) => {
      return redirection.type !== 'from-file' && (redirection.type !== 'to-file' || redirection.path === 'f');
    })
  );
}

function callOf({ words, assignments }: SimpleCommand): string {
  const valueIn = (name: string): string => assignments.findLast((assignment) => assignment.name === name)?.value ?? '';
  return [valueIn('A'), valueIn('B'), ...words.map(textOf)].join('\u0001');
}

/** A pattern as a shell passes it on without looking for files. */
function textOf(word: CommandWord): string {
  const marks = { any: '*', one: '?' } as const;
  return word.type === 'literal'
    ? word.text
    : word.pieces.map((piece) => (piece.type === 'literal' ? piece.text : marks[piece.type])).join('');
}
