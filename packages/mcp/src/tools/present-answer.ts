import { type AskAnswer, formatAccount } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import { escapeLongText } from '../content/escape-long-text.ts';
import type { Conversation, ToolDetail, ToolOutcome } from '../surface/tool.ts';
import { fitAnswer, type LongTexts } from './fit-result.ts';

export type PresentAnswerOptions = LongTexts & {
  readonly conversation?: Conversation;
  /** Added to the end of the account, in our own words. */
  readonly extraLines?: readonly string[];
};

type AnswerOutcome = ToolOutcome & { readonly detail: Extract<ToolDetail, { type: 'answer' }> };

/** An answer as the outcome of a tool: Gemini's text, its account in our own words and, for programs, in `_meta`. */
export async function presentAnswer(
  answered: AskAnswer,
  { conversation, extraLines = [], ...longTexts }: PresentAnswerOptions,
): Promise<AnswerOutcome> {
  const answer = await escapeAnswer(answered);
  const lines = conversation === undefined ? extraLines : [...extraLines, ...conversationLines(conversation)];
  const account = formatAccount(answer, { extraLines: lines, words: longTexts.failureWords });
  return {
    ...(await fitAnswer(answer, account, longTexts)),
    isError: false,
    meta: {
      ...(conversation !== undefined && { sessionId: conversation.sessionId }),
      ...describeAccountAsData(answer),
    },
    detail: { type: 'answer', answer, account, ...(conversation !== undefined && { conversation }) },
  };
}

/** From here on the answer has the form that clients see: in results, stored answers and REST. A conversation keeps it as received. */
export async function escapeAnswer(answer: AskAnswer): Promise<AskAnswer> {
  const { text, notices } = answer;
  return {
    ...answer,
    text: await escapeLongText(text),
    ...(notices !== undefined && { notices: notices.map(escapeName) }),
  };
}

function conversationLines({ sessionId, notKept }: Conversation): readonly string[] {
  return [
    `Session: ${sessionId}`,
    ...(notKept === null ? [] : [`This exchange was not saved, so chat-reply cannot continue it: ${notKept}`]),
  ];
}

/** In this server's namespace, as the protocol requires for names in `_meta`. */
const accountKey = 'gemini-mcp-server/account';

/**
 * The footer of an answer under one name in `_meta`: no text of Gemini's can write there, so a program can tell our footer from
 * a forged one. `characters` is the length of the answer; the text may show a part of it.
 */
export function describeAccountAsData(answer: AskAnswer): Readonly<Record<string, unknown>> {
  const { model, modelVersion, handledBy, usage, attempts, context, pages, ending, notices = [] } = answer;
  const account = {
    model,
    ...(modelVersion !== undefined && { modelVersion }),
    ...(handledBy !== undefined && { handledBy }),
    usage,
    attempts: attempts.map(({ model: tried, failure }) => ({ model: tried, failure: failure?.kind ?? null })),
    context:
      context === null
        ? null
        : { files: context.files, media: context.media, bytes: context.bytes, leftOut: context.leftOut.length },
    ...(pages !== undefined && { pages }),
    notices,
    ...(ending !== undefined && { ending: ending.type }),
    characters: answer.text.length,
  };
  return { [accountKey]: account };
}
