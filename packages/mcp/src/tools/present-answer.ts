import type { AskAnswer } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import { showLongText } from '../show-long-text.ts';
import type { Conversation, ToolOutcome } from '../tool.ts';
import { describeAccountAsData } from './account-meta.ts';
import { conversationLines } from './describe-account.ts';
import { fitAnswer, type LongTexts } from './fit-result.ts';

/** An answer as the outcome of a tool: as a client may show it, with its account in the text and, for programs, in `_meta`. */
export async function presentAnswer(
  answered: AskAnswer,
  { conversation, ...longTexts }: LongTexts & { readonly conversation?: Conversation },
): Promise<ToolOutcome> {
  const answer = await showAnswer(answered, longTexts);
  const extraLines = conversation === undefined ? [] : conversationLines(conversation);
  return {
    text: await fitAnswer(answer, { ...longTexts, extraLines }),
    isError: false,
    meta: {
      ...(conversation !== undefined && { sessionId: conversation.sessionId }),
      ...describeAccountAsData(answer),
    },
    detail: { type: 'answer', answer, ...(conversation !== undefined && { conversation }) },
  };
}

/** From here on an answer is what clients are shown: in results, in stored answers, over REST. What a conversation keeps is as it came. */
export async function showAnswer(
  answer: AskAnswer,
  { keepsControls = false }: Pick<LongTexts, 'keepsControls'>,
): Promise<AskAnswer> {
  const { text, notices } = answer;
  return {
    ...answer,
    text: await showLongText(text, { keepsControls }),
    ...(notices !== undefined && { notices: notices.map(escapeName) }),
  };
}
