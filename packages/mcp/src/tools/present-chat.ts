import type { ChatResult } from '@gemini-mcp/core';
import type { ToolOutcome } from '../tool.ts';
import { fitAnswer, fitFailure, type LongTexts } from './fit-result.ts';

/** The answer of a conversation with its id: in the text, where the client's model sees it, and as `_meta.sessionId`. */
export async function presentChat(result: ChatResult, longTexts: LongTexts): Promise<ToolOutcome> {
  const meta = result.sessionId === null ? {} : { meta: { sessionId: result.sessionId } };
  if (!result.ok) {
    const text = await fitFailure(result.failed, { ...longTexts, purpose: 'chat' });
    return { text, isError: true, ...meta };
  }
  const extraLines = [
    `Session: ${result.sessionId}`,
    ...(result.notKept === null
      ? []
      : [`This exchange could not be kept, and chat-reply will not know of it: ${result.notKept}`]),
  ];
  return { text: await fitAnswer(result.answer, { ...longTexts, extraLines }), isError: false, ...meta };
}
