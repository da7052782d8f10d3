import { offeredName } from '@gemini-mcp/fake-gemini';
import { functionAnswersIn } from '@gemini-mcp/port-contracts';
import { type OfflineGeminiApi, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';

/** A call of a model tool, by the name that the server gives it. */
export type AgentCall = readonly [name: string, args: Readonly<Record<string, unknown>>];

/**
 * A model that works on a task: it makes the calls of one turn after the results of the turn before, and sends the text at
 * the end, after its gate.
 */
export function playAgent(
  api: OfflineGeminiApi,
  turns: readonly (readonly AgentCall[])[],
  answer: string,
  beforeAnswer: Promise<unknown> = Promise.resolve(),
): void {
  api.reply(async (request) => {
    const calls = turns[functionAnswersIn(request).length];
    await (calls === undefined ? beforeAnswer : undefined);
    return calls === undefined
      ? text(answer)
      : toolCalls(calls.map(([name, args]) => ({ name: offeredName(request, name), args })));
  });
}

/** The results of the model's calls, in order, without the tags that the Gemini CLI puts around them. */
export function toldToAgent({ requests }: OfflineGeminiApi): readonly string[] {
  const last = requests.filter(({ functionNames }) => functionNames.length > 0).at(-1);
  return last === undefined
    ? []
    : functionAnswersIn(last)
        .flat()
        .map((told) => told.replace(/^<untrusted_context>\n/, ''));
}
