import type { CommandPlan, CommandReading, StepRefusal } from '@gemini-mcp/core';
import { type CommandJudgement, type CommandRule, judgePlan } from '@gemini-mcp/core/internal';

export type DecidedCommand =
  | { readonly type: 'runs'; readonly plan: CommandPlan }
  | { readonly type: 'asks'; readonly plan: CommandPlan; readonly judgement: CommandJudgement }
  | { readonly type: 'refused'; readonly refusal: StepRefusal };

/** Decides what becomes of a command line: what is not understood or not allowed is refused, with the reason. */
export function decideCommand(reading: CommandReading, rules: readonly CommandRule[]): DecidedCommand {
  if (!reading.ok) {
    const { reason, hint } = reading.refusal;
    return refused(`The command is not run: ${reason}.`, hint);
  }
  const judgement = judgePlan(reading.plan, rules);
  switch (judgement.decision) {
    case 'allow':
      return { type: 'runs', plan: reading.plan };
    case 'ask':
      return { type: 'asks', plan: reading.plan, judgement };
    case 'deny':
      return refused(judgement.reason, '');
  }
}

function refused(message: string, hint: string): DecidedCommand {
  return { type: 'refused', refusal: { code: 'refused-command', message, hint, retriable: false } };
}
