import type { Clock, ServerLender, ServersOfCall } from '@gemini-mcp/core';
import { ElicitingApprover } from '../questions/eliciting-approver.ts';
import { passOnQuestions } from '../servers/pass-on-questions.ts';
import type { ToolContext, ToolOutcome } from '../tool.ts';

export type ServersOfCallOptions = {
  /** Lends tools of other servers; none can be lent when it is missing. */
  readonly serverLender?: Pick<ServerLender, 'findMissing'> | undefined;
  readonly clock: Clock;
};

/**
 * Makes a call with the servers that its argument `servers` names: null where that names none. Where it names one that there is not, nothing is
 * done, and the outcome says so.
 */
export async function withServers(
  names: readonly string[] | undefined,
  { serverLender, clock }: ServersOfCallOptions,
  { owner, ask }: ToolContext,
  run: (servers: ServersOfCall | null) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  if (names === undefined || names.length === 0) {
    return await run(null);
  }
  const problem =
    serverLender === undefined ? 'No servers can be lent here.' : await serverLender.findMissing(owner, names);
  if (problem !== null) {
    const detail = { type: 'refused', reason: 'invalid-arguments' } as const;
    return { text: `Not started: ${problem}`, isError: true, detail };
  }
  return await run({ names, approver: new ElicitingApprover({ ask, clock }), questions: passOnQuestions(ask) });
}
