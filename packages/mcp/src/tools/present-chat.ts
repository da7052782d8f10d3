import type { ChatResult } from '@gemini-mcp/core';
import type { ToolOutcome } from '../tool.ts';
import type { LongTexts } from './fit-result.ts';
import { presentAnswer } from './present-answer.ts';
import { presentFailure } from './present-failure.ts';

/** The answer of a conversation with its id: in the text, where the client's model sees it, and as `_meta.sessionId`. */
export async function presentChat(result: ChatResult, longTexts: LongTexts): Promise<ToolOutcome> {
  const { sessionId } = result;
  if (!result.ok) {
    const outcome = await presentFailure(result.failed, { ...longTexts, purpose: 'chat' });
    return sessionId === null ? outcome : { ...outcome, meta: { sessionId }, detail: { ...outcome.detail, sessionId } };
  }
  const { answer, notKept } = result;
  return presentAnswer(answer, { ...longTexts, conversation: { sessionId: result.sessionId, notKept } });
}
