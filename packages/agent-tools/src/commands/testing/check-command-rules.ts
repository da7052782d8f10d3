import { type CommandRule, holdsFor, unwrapCommand } from '@gemini-mcp/core/internal';
import { parseCommand } from '../parse-command.ts';

/** An example that its rule does not match, or matches although it must not. */
export type WrongExample = {
  readonly rule: CommandRule;
  readonly example: string;
  readonly problem: 'does not match' | 'matches' | 'is not understood';
};

/** Tests the examples of rules, so that a rule does what its author meant. Empty if all are correct. */
export function checkCommandRules(rules: readonly CommandRule[]): readonly WrongExample[] {
  return rules.flatMap((rule) => [
    ...rule.matches.flatMap((example) => tryExample(rule, example, true)),
    ...(rule.notMatches ?? []).flatMap((example) => tryExample(rule, example, false)),
  ]);
}

function tryExample(rule: CommandRule, example: string, isExpected: boolean): readonly WrongExample[] {
  const reading = parseCommand(example);
  if (!reading.ok) {
    return [{ rule, example, problem: 'is not understood' }];
  }
  const commands = reading.plan.pipelines.flatMap((pipeline) => pipeline.commands);
  const holds = commands.some(({ words }) => holdsFor(rule, unwrapCommand(words)));
  return holds === isExpected ? [] : [{ rule, example, problem: isExpected ? 'does not match' : 'matches' }];
}
