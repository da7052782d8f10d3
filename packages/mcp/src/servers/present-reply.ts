import { quoteStrangers, type ServerReply } from '@gemini-mcp/core/internal';
import type { RefusalReason, ToolOutcome } from '../tool.ts';
import { shownName } from './shown-words.ts';

export type FailedReply = Exclude<ServerReply, { readonly type: 'answered' }>;

const maxSaidCharacters = 2_000;

/** What a client is told of a request that got no answer. */
export function describeFailedReply(reply: FailedReply, server: string): string {
  const name = shownName(server);
  switch (reply.type) {
    case 'error':
      return `The server ${name} refused:\n${quoteStrangers(reply.message.slice(0, maxSaidCharacters))}`;
    case 'unreadable':
      return `There is no answer of the server ${name}. ${reply.detail}${noteOn({ wasSent: true })}`;
    case 'kept-back':
      return `The server ${name} does not offer this. ${reply.detail}`;
    case 'unavailable':
      return `The server ${name} is not there. ${reply.detail}${noteOn(reply)}`;
    case 'timed-out':
      return `The server ${name} did not answer in time.${noteOn(reply)}`;
    case 'cancelled':
      return `The call was cancelled.${noteOn(reply)}`;
  }
}

/** No one may count on nothing being changed. */
function noteOn({ wasSent }: { readonly wasSent: boolean }): string {
  return wasSent ? ' The call may have been carried out all the same.' : '';
}

const reasons: Readonly<Record<FailedReply['type'], RefusalReason>> = {
  error: 'other-server-error',
  unreadable: 'other-server-error',
  'kept-back': 'other-server-unavailable',
  unavailable: 'other-server-unavailable',
  'timed-out': 'other-server-timeout',
  cancelled: 'cancelled',
};

/** The same as the outcome of a tool. */
export function presentFailedReply(reply: FailedReply, server: string): ToolOutcome {
  const text = describeFailedReply(reply, server);
  return { text, isError: true, detail: { type: 'refused', reason: reasons[reply.type] } };
}
