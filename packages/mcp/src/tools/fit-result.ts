import {
  type AnswerStore,
  type AskAnswer,
  type AskFailure,
  countOf,
  type DescribeFailureOptions,
  describeFailure,
  firstPart,
  formatAnswer,
  formatCount,
  maxPartialCharacters,
  maxResultCharacters,
} from '@gemini-mcp/core';

export type LongTexts = {
  readonly answers: AnswerStore;
  readonly owner: string;
  /** What the text answers, on one line. */
  readonly title: string;
};

/** A job shows a result behind a line on itself, with the title of the call in it. */
const jobLineCharacters = 1_000;

const maxCharacters = maxResultCharacters - jobLineCharacters;

/** Above this, what surrounds an answer is itself too long to be shown whole beside a part of the answer. */
const maxSurroundingCharacters = maxCharacters / 2;

/** Room for the note on what is not shown. */
const noteCharacters = 1_000;

/**
 * An answer as one result: whole where it fits, otherwise its first part between the warnings and the footer, with a note by
 * which gemini_read gives the rest. Rejects with `signal.reason` when aborted.
 */
export async function fitAnswer(
  answer: AskAnswer,
  { extraLines, ...longTexts }: LongTexts & { readonly extraLines: readonly string[] },
  signal: AbortSignal,
): Promise<string> {
  const whole = formatAnswer(answer, { extraLines });
  if (whole.length < maxCharacters) {
    return whole;
  }
  const surrounding = whole.length - answer.text.length;
  if (surrounding > maxSurroundingCharacters) {
    return fitText(whole, longTexts, signal);
  }
  const shown = await keep(answer.text, maxCharacters - surrounding - noteCharacters, longTexts, signal);
  return formatAnswer(answer, { extraLines, shown });
}

/**
 * A failure as one result. Where more of an answer had come than it shows, that is kept, and a note says how gemini_read gives
 * it. Rejects with `signal.reason` when aborted.
 */
export async function fitFailure(
  failed: AskFailure,
  { opening, ...longTexts }: LongTexts & Required<Pick<DescribeFailureOptions, 'opening'>>,
  signal: AbortSignal,
): Promise<string> {
  if (failed.partialText.length <= maxPartialCharacters) {
    return fitText(describeFailure(failed, { opening }), longTexts, signal);
  }
  const partial = await keep(failed.partialText, maxPartialCharacters, longTexts, signal);
  return fitText(describeFailure(failed, { opening, partial }), longTexts, signal);
}

/** Any other text as one result, by the same rule. Rejects with `signal.reason` when aborted. */
export async function fitText(text: string, longTexts: LongTexts, signal: AbortSignal): Promise<string> {
  if (text.length < maxCharacters) {
    return text;
  }
  const shown = await keep(text, maxCharacters - noteCharacters, longTexts, signal);
  return `${shown.text}\n\n${shown.note}`;
}

async function keep(
  text: string,
  shownCharacters: number,
  { answers, owner, title }: LongTexts,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly note: string }> {
  const { text: part } = firstPart(text, shownCharacters);
  const saved = await answers.save({ owner, title, text }, signal);
  const extent = `[Shown: the first ${formatCount(part.length)} of ${countOf(text.length, 'character')}.`;
  const rest = saved.saved
    ? `Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${part.length}; or give lines or search.]`
    : `The rest could not be kept: ${saved.detail}.]`;
  return { text: part, note: `${extent} ${rest}` };
}
