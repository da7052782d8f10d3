import type { AskAnswer } from '@gemini-mcp/core';

/** In the namespace of this server, as the protocol asks of names in `_meta`. */
const accountKey = 'gemini-mcp-server/account';

/**
 * What the footer of an answer says, under one name in `_meta`: no text of Gemini's can write there, so that a program tells
 * ours from a forged one. `characters` is the length of the answer, of which the text may show a part.
 */
export function describeAccountAsData(answer: AskAnswer): Readonly<Record<string, unknown>> {
  const { model, modelVersion, carriedBy, usage, attempts, context, pages, ending, notices = [] } = answer;
  const account = {
    model,
    ...(modelVersion !== undefined && { modelVersion }),
    ...(carriedBy !== undefined && { carriedBy }),
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
