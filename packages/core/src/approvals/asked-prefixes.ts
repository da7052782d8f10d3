import type { CommandRule } from '../commands/command-rule.ts';
import { judgeCommand, judgeVariable, unwrapCommand } from '../commands/judge-command.ts';
import { lastingPrefix } from '../commands/lasting-prefix.ts';
import type { CommandPlan } from '../ports/workspace/command-plan.ts';

/** The first words of a command: a program and its action. */
export type CommandPrefix = readonly [string, ...string[]];

/**
 * The first words of each part of a plan that needs approval: an approval of all of these allows the plan. Null if only the plan as a whole can be
 * approved: because of a program that runs anything, of a variable, or of anything besides its words.
 */
export function askedPrefixes(plan: CommandPlan, rules: readonly CommandRule[]): readonly CommandPrefix[] | null {
  const asked = new Map<string, CommandPrefix>();
  for (const { assignments, words } of plan.pipelines.flatMap(({ commands }) => commands)) {
    if (assignments.some(({ name }) => judgeVariable(name).decision !== 'allow')) {
      return null;
    }
    if (judgeCommand(unwrapCommand(words), rules).decision !== 'allow') {
      const prefix = lastingPrefix(words);
      if (prefix === null) {
        return null;
      }
      asked.set(JSON.stringify(prefix), prefix);
    }
  }
  return asked.size === 0 ? null : [...asked.values()];
}
