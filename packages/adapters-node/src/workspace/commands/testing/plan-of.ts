import type { CommandPipeline, CommandPlan, Redirection, SimpleCommand } from '@gemini-mcp/core';

/** A command of literal words. */
export function commandOf(
  words: readonly [string, ...string[]],
  redirections: readonly Redirection[] = [],
): SimpleCommand {
  const [program, ...others] = words;
  const literal = (text: string): SimpleCommand['words'][0] => ({ type: 'literal', text });
  return { assignments: [], words: [literal(program), ...others.map(literal)], redirections };
}

/** Commands joined by pipes. */
export function pipelineOf(
  commands: readonly [SimpleCommand, ...SimpleCommand[]],
  when: CommandPipeline['when'] = 'always',
): CommandPipeline {
  return { when, commands };
}

/** One command of literal words. */
export function planOf(...words: readonly [string, ...string[]]): CommandPlan {
  return { directory: null, pipelines: [pipelineOf([commandOf(words)])] };
}
