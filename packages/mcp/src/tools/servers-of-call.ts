import type { Clock, ServersOfCall, ToolProviderFactory } from '@gemini-mcp/core';
import { ElicitingApprover } from '../questions/eliciting-approver.ts';
import { passOnQuestions } from '../questions/pass-on-questions.ts';
import type { ToolContext, ToolOutcome } from '../surface/tool.ts';

export type ServersOfCallOptions = {
  /** Gives Gemini tools of other servers; without it no call can name any. */
  readonly toolProviderFactory?: Pick<ToolProviderFactory, 'findMissing'> | undefined;
  readonly clock: Clock;
};

/** The servers that a call names in `servers`; null if it names none. An unknown name gets `refusal`, and the call does nothing. */
export async function readServersArgument(
  names: readonly string[] | undefined,
  { toolProviderFactory, clock }: ServersOfCallOptions,
  { owner, ask }: ToolContext,
): Promise<{ readonly chosenServers: ServersOfCall | null; readonly refusal: ToolOutcome | null }> {
  if (names === undefined || names.length === 0) {
    return { chosenServers: null, refusal: null };
  }
  const problem =
    toolProviderFactory === undefined
      ? 'Other servers are not available here.'
      : await toolProviderFactory.findMissing(owner, names);
  if (problem !== null) {
    const detail = { type: 'refused', reason: 'invalid-arguments' } as const;
    return { chosenServers: null, refusal: { text: `Not started: ${problem}`, isError: true, detail } };
  }
  const chosenServers = { names, approver: new ElicitingApprover({ ask, clock }), questions: passOnQuestions(ask) };
  return { chosenServers, refusal: null };
}
