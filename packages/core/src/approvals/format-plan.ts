import type {
  CommandPlan,
  CommandWord,
  OutputStreams,
  Redirection,
  SimpleCommand,
} from '../ports/workspace/command-plan.ts';
import { formatCommandWord, formatProgram, formatWord } from './format-word.ts';

/**
 * A plan as a command line, one line for each pipeline: every program with its arguments, variables and redirections. Different plans have different
 * texts; the plan's directory is not included.
 */
export function formatPlan({ pipelines }: CommandPlan): readonly string[] {
  return pipelines.map(({ when, commands }, index) => {
    const line = commands.map(formatCommand).join(' | ');
    return index === 0 ? line : `${operators[when]} ${line}`;
  });
}

const operators = { always: ';', 'after-success': '&&', 'after-failure': '||' } as const;

function formatCommand({ assignments, words, redirections }: SimpleCommand): string {
  const [program, ...others] = words;
  return [
    ...assignments.map(({ name, value }) => `${name}=${formatWord(value)}`),
    formatFirst(program),
    ...others.map(formatCommandWord),
    ...redirections.map(formatRedirection),
  ].join(' ');
}

function formatFirst(word: CommandWord): string {
  return word.type === 'literal' ? formatProgram(word.text) : formatCommandWord(word);
}

const signs: Readonly<Record<OutputStreams, string>> = { output: '>', errors: '2>', both: '&>' };

function formatRedirection(redirection: Redirection): string {
  switch (redirection.type) {
    case 'to-file':
      return `${signs[redirection.streams]}${redirection.appends ? '>' : ''} ${formatWord(redirection.path)}`;
    case 'discard':
      return `${signs[redirection.streams]} /dev/null`;
    case 'errors-to-output':
      return '2>&1';
    case 'output-to-errors':
      return '>&2';
    case 'from-file':
      return `< ${formatWord(redirection.path)}`;
    case 'from-nothing':
      return '< /dev/null';
  }
}
