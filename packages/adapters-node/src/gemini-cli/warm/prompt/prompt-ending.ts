import type { ModelUsage } from '@gemini-mcp/core';
import type { CliOutcome } from '../../reading/cli-outcome.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import { type AcpPromptEnd, parseAcpPromptEnd } from '../protocol/acp-messages.ts';

/** How a prompt ended, by the answer to it. */
export type PromptEnding = Pick<CliOutcome, 'completion' | 'ending' | 'httpStatus' | 'messages' | 'stopReason'> & {
  readonly usage: readonly ModelUsage[];
};

const nothingSaid: PromptEnding = {
  completion: 'missing',
  httpStatus: null,
  messages: [],
  usage: [],
};

/** Errors without a status of the API come with this one as well: a cut connection, a model that is not there. */
const codeOfAll = 500;

/** Codes from here on are HTTP statuses; those of JSON-RPC are negative. */
const lowestStatus = 400;

/**
 * Reads the answer of Gemini CLI 0.61.0 to a prompt. `hasText` says whether an answer was streamed. An empty or blocked
 * answer is `end_turn` like a whole one; so is one whose stream ended without a finish reason, which shows only by the
 * tokens that were not counted.
 */
export function readPromptReply(reply: AcpReply, hasText: boolean): PromptEnding {
  if (!reply.ok) {
    return reply.closed ? nothingSaid : readError(reply.code, reply.message);
  }
  const end = parseAcpPromptEnd(reply.result);
  return end === 'unreadable'
    ? { ...nothingSaid, completion: 'error', messages: ['The answer to a prompt could not be read.'] }
    : readEnd(end, hasText);
}

function readEnd({ stopReason, models }: AcpPromptEnd, hasText: boolean): PromptEnding {
  const ending = { ...nothingSaid, stopReason: stopReason.slice(0, 100), usage: models };
  if (stopReason !== 'end_turn') {
    return { ...ending, completion: 'error' };
  }
  return hasText && models.length === 0
    ? { ...ending, completion: 'success', ending: { type: 'unfinished' } }
    : { ...ending, completion: 'success' };
}

function readError(code: number, message: string): PromptEnding {
  const isOfNetwork = code === codeOfAll && !message.trimStart().startsWith('{');
  const httpStatus = code < lowestStatus || isOfNetwork ? null : code;
  return { ...nothingSaid, completion: 'error', httpStatus, messages: [message] };
}
