import type { CommandPlan, SimpleCommand } from './command-plan.ts';
import type { CommandJudgement, CommandRule } from './command-rule.ts';
import { judgeCommand, strictest } from './judge-command.ts';
import { judgeVariable } from './judge-variable.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Decides for a whole command line: as strictly as for the strictest part of it. */
export function judgePlan({ pipelines }: CommandPlan, rules: readonly CommandRule[]): CommandJudgement {
  const [first] = pipelines[0].commands;
  const all = pipelines.flatMap(({ commands }) => commands);
  return strictest([judgeStep(first, rules), ...all.map((command) => judgeStep(command, rules))]);
}

function judgeStep({ assignments, words }: SimpleCommand, rules: readonly CommandRule[]): CommandJudgement {
  const variables = assignments.map(({ name }) => judgeVariable(name));
  return strictest([judgeCommand(unwrapCommand(words), rules), ...variables]);
}
