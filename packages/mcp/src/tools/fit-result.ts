import {
  type AnswerStore,
  type AnswerToSave,
  type AskAnswer,
  type AskFailure,
  type CallPurpose,
  describeFailure,
  type FailureWords,
  failureReason,
  type GeminiFailure,
} from '@gemini-mcp/core';
import {
  byteEnd,
  countOf,
  endingNote,
  firstPart,
  formatCount,
  maxResultBytes,
  shownPartial,
  utf8Length,
} from '@gemini-mcp/core/internal';

export type LongTexts = {
  readonly answers: AnswerStore;
  readonly owner: string;
  /** What the text answers, on one line. */
  readonly title: string;
  /** Words on failures in the place of the core's, such as those that name settings of the server; none when it is missing. */
  readonly failureWords?: FailureWords | undefined;
};

/** A job shows a result after a line on itself, with the title of the call in it. */
const jobLineBytes = 1_000;

const maxBytes = maxResultBytes - jobLineBytes;

/** Of the account of an answer: the rest of a longer one is read by gemini_read. */
const maxAccountBytes = maxBytes / 2;

/** Room for the note on what is not shown. */
const noteBytes = 1_000;

/** Of why a text could not be kept: what a store says may have any length. */
const detailBytes = 500;

/** What of an answer and its account fits into one result, with a note by which gemini_read gives the rest. */
export async function fitAnswer(
  answer: AskAnswer,
  account: string,
  longTexts: LongTexts,
): Promise<{ readonly answer: string; readonly text: string }> {
  const shownAccount = await fitPart(account, maxAccountBytes, longTexts);
  const room = maxBytes - utf8Length(shownAccount);
  if (byteEnd(answer.text, 0, room) === answer.text.length) {
    return { answer: answer.text, text: shownAccount };
  }
  const { text } = firstPart(answer.text, room - noteBytes);
  const endNote = endingNote(answer);
  const kept = { text: answer.text, ...(endNote !== null && { endNote }) };
  const note = await keepWhole(kept, text.length, longTexts);
  return { answer: text, text: shownAccount === '' ? note : `${note}\n${shownAccount}` };
}

/** A text that a program reads, such as JSON, by the same rule: nothing is around it, and a note on the rest is apart from it. */
export async function fitAlone(
  text: string,
  longTexts: LongTexts,
): Promise<{ readonly answer: string; readonly text: string }> {
  if (fits(text)) {
    return { answer: text, text: '' };
  }
  const { text: shown } = firstPart(text, maxBytes - noteBytes);
  return { answer: shown, text: await keepWhole({ text }, shown.length, longTexts) };
}

/** A failure as one result. Where more of an answer had come than it shows, a note says how gemini_read gives the rest. */
export async function fitFailure(
  failed: AskFailure,
  { purpose, ...longTexts }: LongTexts & { readonly purpose: CallPurpose },
): Promise<string> {
  const { partialText } = failed;
  const { failureWords: words } = longTexts;
  const told = { purpose, words, opening: classicOpening(failed, purpose, words) };
  const shown = shownPartial(partialText);
  if (shown.length === partialText.length) {
    return fitText(describeFailure(failed, told), longTexts);
  }
  const kept = { text: partialText, endNote: 'The call failed here: this is all that came of the answer.' };
  const restNote = await keepWhole(kept, shown.length, longTexts);
  return fitText(describeFailure(failed, { ...told, restNote }), longTexts);
}

/** Any other text as one result, by the same rule. */
export async function fitText(text: string, longTexts: LongTexts): Promise<string> {
  if (fits(text)) {
    return text;
  }
  const { text: shown } = firstPart(text, maxBytes - noteBytes);
  return `${shown}\n\n${await keepWhole({ text }, shown.length, longTexts)}`;
}

/** A text within another one: whole where it has at most so many bytes, otherwise its first part with a note on the rest. */
export async function fitPart(text: string, partBytes: number, longTexts: LongTexts): Promise<string> {
  if (byteEnd(text, 0, partBytes) === text.length) {
    return text;
  }
  const { text: shown } = firstPart(text, partBytes);
  return `${shown}\n${await keepWhole({ text }, shown.length, longTexts)}`;
}

/**
 * Keeps a text of which only the beginning is shown. Resolves to a note on that. What came before a cancel is worth keeping
 * too, so that nothing aborts it.
 */
async function keepWhole(
  kept: Pick<AnswerToSave, 'text' | 'endNote'>,
  shownCharacters: number,
  { answers, owner, title }: LongTexts,
): Promise<string> {
  const saved = await answers.save({ owner, title, ...kept }, new AbortController().signal);
  const extent = `[Shown: the first ${formatCount(shownCharacters)} of ${countOf(kept.text.length, 'character')}.`;
  return saved.saved
    ? `${extent} Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${shownCharacters}; or give lines or search.]`
    : `${extent} The rest could not be kept: ${saved.detail.slice(0, byteEnd(saved.detail, 0, detailBytes))}.]`;
}

/** Measures no more of a long text than there is room for. */
function fits(text: string): boolean {
  return byteEnd(text, 0, maxBytes) === text.length;
}

/**
 * The first line on a failed chat or search as older wrappers write it, to the letter: their users' scripts look for it. Missing
 * where they have none.
 */
export function classicOpening(
  { failure, timeoutMs }: AskFailure,
  purpose: CallPurpose,
  words?: FailureWords,
): string | undefined {
  if (purpose === 'query') {
    return undefined;
  }
  const classic = classicWords(failure, timeoutMs);
  return purpose === 'chat' ? `Error executing gemini: ${classic ?? `${failureReason(failure, words)}.`}` : classic;
}

function classicWords({ kind }: GeminiFailure, timeoutMs: number): string | undefined {
  switch (kind) {
    case 'timeout':
      return `CLI operation timed out after ${timeoutMs}ms`;
    case 'cli-missing':
      return 'Error: gemini-cli not found in PATH';
    default:
      return undefined;
  }
}
