import {
  type AnswerStore,
  type AskAnswer,
  countOf,
  firstPart,
  formatAnswer,
  formatCount,
  maxResultCharacters,
} from '@gemini-mcp/core';

export type LongTexts = {
  readonly answers: AnswerStore;
  readonly owner: string;
  /** What the text answers, on one line. */
  readonly title: string;
};

/** Above this, what surrounds an answer is itself too long to be shown whole beside a part of the answer. */
const maxSurroundingCharacters = maxResultCharacters / 2;

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
  if (whole.length < maxResultCharacters) {
    return whole;
  }
  const surrounding = whole.length - answer.text.length;
  if (surrounding > maxSurroundingCharacters) {
    return fitText(whole, longTexts, signal);
  }
  const shown = await keep(answer.text, maxResultCharacters - surrounding - noteCharacters, longTexts, signal);
  return formatAnswer(answer, { extraLines, shown });
}

/** Any other text as one result, by the same rule. Rejects with `signal.reason` when aborted. */
export async function fitText(text: string, longTexts: LongTexts, signal: AbortSignal): Promise<string> {
  if (text.length < maxResultCharacters) {
    return text;
  }
  const shown = await keep(text, maxResultCharacters - noteCharacters, longTexts, signal);
  return `${shown.text}\n\n${shown.note}`;
}

async function keep(
  text: string,
  maxCharacters: number,
  { answers, owner, title }: LongTexts,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly note: string }> {
  const { text: part } = firstPart(text, maxCharacters);
  const saved = await answers.save({ owner, title, text }, signal);
  const extent = `[Shown: the first ${formatCount(part.length)} of ${countOf(text.length, 'character')}.`;
  const rest = saved.saved
    ? `Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${part.length}; or give lines or search.]`
    : `The rest could not be kept: ${saved.detail}.]`;
  return { text: part, note: `${extent} ${rest}` };
}
