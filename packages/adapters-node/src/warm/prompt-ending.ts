import type { ModelUsage, RunOutcome } from '@gemini-mcp/core';
import type { AcpReply } from './acp-connection.ts';
import { type AcpPromptEnd, parseAcpPromptEnd } from './acp-messages.ts';

/** How a prompt ended, by the answer to it. */
export type PromptEnding = Pick<RunOutcome, 'completion' | 'httpStatus' | 'messages'> & {
  readonly usage: readonly ModelUsage[];
  /** The CLI found the whole too large for the model and sent nothing. */
  readonly isOverWindow: boolean;
};

const nothingSaid: PromptEnding = {
  completion: 'missing',
  httpStatus: null,
  messages: [],
  usage: [],
  isOverWindow: false,
};

/** Errors without a status of the API come with this one as well: a cut connection, a model that is not there. */
const codeOfAll = 500;

/** Codes from here on are HTTP statuses; those of JSON-RPC are negative. */
const lowestStatus = 400;

/**
 * Reads the answer of Gemini CLI 0.61.0 to a prompt. `hasText` says whether an answer was streamed. An empty or blocked
 * answer is `end_turn` like a whole one; so is one whose stream ended without a finish reason, which shows only by the
 * tokens that nobody counted.
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
  const ending = { ...nothingSaid, usage: models };
  switch (stopReason) {
    case 'end_turn':
      return hasText && models.length === 0
        ? { ...ending, completion: 'error', messages: ['Model stream ended without a finish reason.'] }
        : { ...ending, completion: 'success' };
    case 'max_tokens':
      return { ...ending, completion: 'error', isOverWindow: true };
    case 'max_turn_requests':
      return { ...ending, completion: 'error', messages: ['Reached max session turns for this session.'] };
    default:
      return { ...ending, completion: 'error', messages: [`The prompt ended with ${stopReason.slice(0, 100)}.`] };
  }
}

function readError(code: number, message: string): PromptEnding {
  const isOfNetwork = code === codeOfAll && !message.trimStart().startsWith('{');
  return {
    ...nothingSaid,
    completion: 'error',
    httpStatus: code < lowestStatus || isOfNetwork ? null : code,
    messages: [isOfNetwork ? `[API Error: ${message}]` : message],
  };
}
