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
  shownPartial,
  utf8Length,
} from '@gemini-mcp/core/internal';

import type { ResultLayout } from '../content/result-layout.ts';
import type { ToolOutcome } from '../surface/tool.ts';

export type LongTexts = {
  readonly answers: AnswerStore;
  readonly owner: string;
  /** The question that the text answers, on one line. */
  readonly title: string;
  /** Failure texts in place of the core's, such as those that name settings of the server. */
  readonly failureWords?: FailureWords | undefined;
  readonly layout: ResultLayout;
};

/** A job shows its result after a line of its own, with the title of the call in it. */
const jobLineBytes = 1_000;

function pageBytesOf({ layout }: LongTexts): number {
  return layout.pageBytes - jobLineBytes;
}

/** Reserves bytes for the note on the rest. */
const noteBytes = 1_000;

/** Limits the reason that a text could not be saved: a store's message may have any length. */
const detailBytes = 500;

/** Fits an answer and its account into one result, with a note on how gemini_read gives the rest. */
export async function fitAnswer(
  answer: AskAnswer,
  account: string,
  longTexts: LongTexts,
): Promise<Pick<ToolOutcome, 'note' | 'answer' | 'text'>> {
  // Of a long account, too, gemini_read reads the rest.
  const shownAccount = await fitPart(account, pageBytesOf(longTexts) / 2, longTexts);
  const room = pageBytesOf(longTexts) - utf8Length(shownAccount);
  if (byteEnd(answer.text, 0, room) === answer.text.length) {
    return { answer: answer.text, text: shownAccount };
  }
  const { text } = firstPart(answer.text, room - noteBytes);
  const endNote = endingNote(answer);
  const kept = { text: answer.text, ...(endNote !== null && { endNote }) };
  const note = await keepWhole(kept, text.length, longTexts);
  if (longTexts.layout.isNoteFirst) {
    return { note, answer: text, text: shownAccount };
  }
  return { answer: text, text: shownAccount === '' ? note : `${note}\n${shownAccount}` };
}

/** The same for a text that a program reads, such as JSON: the text stays alone, and the note on the rest is separate. */
export async function fitAlone(
  text: string,
  longTexts: LongTexts,
): Promise<{ readonly answer: string; readonly text: string }> {
  if (fits(text, longTexts)) {
    return { answer: text, text: '' };
  }
  const { text: shown } = firstPart(text, pageBytesOf(longTexts) - noteBytes);
  return { answer: shown, text: await keepWhole({ text }, shown.length, longTexts) };
}

/** Fits a failure into one result. If more of an answer had arrived than it shows, a note says how gemini_read gives the rest. */
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
  const kept = { text: partialText, endNote: 'The call failed here: no more of the answer arrived.' };
  const restNote = await keepWhole(kept, shown.length, longTexts);
  return fitText(describeFailure(failed, { ...told, restNote }), longTexts);
}

/** Any other text as one result, by the same rule. */
export async function fitText(text: string, longTexts: LongTexts): Promise<string> {
  if (fits(text, longTexts)) {
    return text;
  }
  const { text: shown } = firstPart(text, pageBytesOf(longTexts) - noteBytes);
  const note = await keepWhole({ text }, shown.length, longTexts);
  return longTexts.layout.isNoteFirst ? `${note}\n\n${shown}` : `${shown}\n\n${note}`;
}

/** A text within another one: whole if it has at most this many bytes, otherwise its first part with a note on the rest. */
export async function fitPart(text: string, partBytes: number, longTexts: LongTexts): Promise<string> {
  const { shown, note } = await cutPart(text, partBytes, longTexts);
  return note === null ? shown : `${shown}\n${note}`;
}

/** The same with the note apart; null if the text is whole. */
export async function cutPart(
  text: string,
  partBytes: number,
  longTexts: LongTexts,
): Promise<{ readonly shown: string; readonly note: string | null }> {
  if (byteEnd(text, 0, partBytes) === text.length) {
    return { shown: text, note: null };
  }
  const { text: shown } = firstPart(text, partBytes);
  return { shown, note: await keepWhole({ text }, shown.length, longTexts) };
}

/**
 * Saves a text whose beginning alone is shown. Resolves to a note on the rest. Takes no signal: text that arrived before a cancel
 * is worth saving too.
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
    : `${extent} The rest could not be saved: ${saved.detail.slice(0, byteEnd(saved.detail, 0, detailBytes))}.]`;
}

/** Measures no more of a long text than fits. */
function fits(text: string, longTexts: LongTexts): boolean {
  return byteEnd(text, 0, pageBytesOf(longTexts)) === text.length;
}

/**
 * The first line of a failed chat or search exactly as older wrappers write it, because their users' scripts look for it. Missing
 * if those wrappers had no such line.
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
