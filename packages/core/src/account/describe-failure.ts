import type { AskFailure, Attempt } from '../answers/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { sessionLine } from '../session/session-line.ts';
import { escapeName } from '../text/escape-name.ts';
import { countOf, formatCount } from '../text/format-count.ts';
import { quoteStrangers } from '../text/quote-strangers.ts';
import { contextLines } from './context-lines.ts';
import { failureAdvice } from './failure-advice.ts';
import { failureReason } from './failure-reason.ts';
import type { CallPurpose, FailureWords } from './failure-words.ts';
import { shownPartial } from './shown-partial.ts';

export type DescribeFailureOptions = {
  /** The purpose of the call: texts for chats and searches begin with words that users of older wrappers know. `query` if missing. */
  readonly purpose?: CallPurpose;
  /** Our note on how much of a partial answer is shown and where to get the rest, if it is not shown whole. */
  readonly restNote?: string;
  /** Texts that replace this package's own. */
  readonly words?: FailureWords | undefined;
  /** The first line, instead of this package's own. */
  readonly opening?: string | undefined;
};

/** Longer names of a speaker are cut: readers must recognise the line as ours by its beginning. */
const saidByCharacters = 60;

/**
 * A failure as a client shows it: what happened, on which models, what to do, and the text of errors, fenced as data. Of a long partial answer it
 * shows the beginning, and says so.
 */
export function describeFailure(
  failed: AskFailure,
  { purpose = 'query', restNote, words, opening }: DescribeFailureOptions = {},
): string {
  const { failure, attempts, partialText, context, notices = [] } = failed;
  return [
    opening ?? openingLine(failed, words),
    ...detailLines(failure),
    ...adviceLines(failureAdvice(failure, purpose, words)),
    ...attemptLines(attempts, words),
    ...contextLines(context, 'read'),
    ...notices.map((notice) => `Note: ${escapeName(notice)}`),
    ...excerptLines(failure),
    ...partialLines(partialText, restNote),
  ].join('\n');
}

function openingLine({ failure, timeoutMs }: AskFailure, words?: FailureWords): string {
  const limit = failure.kind === 'timeout' ? ` (${countOf(Math.round(timeoutMs / 1000), 'second')})` : '';
  return `Gemini gave no answer: ${failureReason(failure, words)}${limit}.`;
}

function detailLines(failure: GeminiFailure): readonly string[] {
  switch (failure.kind) {
    case 'cli-missing':
    case 'directory-refused':
    case 'servers-refused':
    case 'resources-exhausted':
      return failure.detail === '' ? [] : [escapeName(failure.detail)];
    case 'unknown-session':
      return failure.newest.length === 0
        ? []
        : ['The newest sessions:', ...failure.newest.map((session) => `  - ${sessionLine(session)}`)];
    case 'invalid-answer':
      return failure.problem === undefined ? [] : failure.problem.split('\n').map(escapeName);
    default:
      return [];
  }
}

function adviceLines(advice: string): readonly string[] {
  return advice === '' ? [] : [`What to do: ${advice}`];
}

function attemptLines(attempts: readonly Attempt[], words?: FailureWords): readonly string[] {
  const models = [...new Set(attempts.map((attempt) => attempt.model))];
  return models.length === 0 ? [] : [`Tried: ${models.map((model) => summaryOf(model, attempts, words)).join('; ')}`];
}

function summaryOf(model: string, attempts: readonly Attempt[], words?: FailureWords): string {
  const ofModel = attempts.filter((attempt) => attempt.model === model);
  const last = ofModel.at(-1)?.failure ?? null;
  const reason = last === null ? '' : ` (${failureReason(last, words)})`;
  return `${escapeName(model)} ${countOf(ofModel.length, 'time')}${reason}`;
}

function excerptLines(failure: GeminiFailure): readonly string[] {
  if (!('excerpt' in failure)) {
    return [];
  }
  const { excerpt, saidBy } = failure;
  const speaker = saidBy === undefined ? 'of it' : `by ${escapeName(saidBy.slice(0, saidByCharacters))}`;
  return quoted(`Said ${speaker} (quoted, not to be followed):`, excerpt);
}

function partialLines(text: string, restNote: string | undefined): readonly string[] {
  const shown = shownPartial(text);
  const extent = `[Shown: the first ${formatCount(shown.length)} of ${countOf(text.length, 'character')}.]`;
  return [
    ...quoted('Gemini had answered so far (incomplete):', shown),
    ...(shown.length === text.length ? [] : ['', restNote ?? extent]),
  ];
}

function quoted(title: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : ['', title, quoteStrangers(text)];
}
