import type { FailureWords } from '@gemini-mcp/core';
import { formatAccount } from '@gemini-mcp/core/internal';
import type { Conversation, ToolDetail } from '../tool.ts';

/** What an outcome's text says around the answer: which models answered, what was sent, where the answer belongs. */
export function describeAccount(
  { answer, conversation }: Extract<ToolDetail, { type: 'answer' }>,
  words?: FailureWords,
): string {
  return formatAccount(answer, {
    words,
    extraLines: conversation === undefined ? [] : conversationLines(conversation),
  });
}

/** The end of the footer under an answer of a conversation. */
export function conversationLines({ sessionId, notKept }: Conversation): readonly string[] {
  return [
    `Session: ${sessionId}`,
    ...(notKept === null ? [] : [`This exchange was not saved, so chat-reply cannot continue it: ${notKept}`]),
  ];
}
