import type { ClientCapabilities, ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { RequestExtra } from '../../input/request-params.ts';
import type { CannotAskReason } from '../../questions/question.ts';

/** Puts forms to the client of one request, by MCP's elicitation. */
export type Elicitor = {
  /** Why nothing can be asked; null where it can. */
  readonly cannotAsk: CannotAskReason | null;
  /** Resolves to what the client answers, unchecked. An abort takes the question back at the client, and rejects. */
  readonly elicit: (params: ElicitRequestFormParams, signal: AbortSignal) => Promise<unknown>;
};

/** The SDK limits each request to a client, by a clock of its own. Ours comes first. */
const sdkTimeoutMs = 2 ** 31 - 1;

/** Puts forms to the client that sent a request. They go down the stream of that request. */
export function createElicitor(
  { request, sendRequest }: Pick<RequestExtra, 'request' | 'sendRequest'>,
  capabilities: ClientCapabilities | undefined,
): Elicitor {
  return {
    cannotAsk: whyNot(request.takesAnswers, capabilities),
    elicit: (params, signal) =>
      sendRequest({ method: 'elicitation/create', params }, z.looseObject({}), { signal, timeout: sdkTimeoutMs }),
  };
}

function whyNot(takesAnswers: boolean, capabilities: ClientCapabilities | undefined): CannotAskReason | null {
  if (!takesAnswers) {
    return 'transport-cannot';
  }
  const { elicitation } = capabilities ?? {};
  // A client of the first revision with elicitation offers an empty object, and means forms.
  const offersForms =
    elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
  return offersForms ? null : 'client-cannot';
}
