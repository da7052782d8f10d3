import type { AskAnswer, Attempt } from '../ask-gemini/ask-result.ts';
import { escapeName } from '../context/escape-name.ts';
import { failureReason } from '../failure/failure-reason.ts';
import type { FailureWords } from '../failure/failure-words.ts';
import { isSameModel } from '../models/is-same-model.ts';
import type { ModelUsage } from '../ports/gemini-runner.ts';
import { contextLines } from './context-lines.ts';
import { endingWarning } from './ending-lines.ts';
import { formatCount } from './format-count.ts';
import { pageLines, pageWarning } from './page-lines.ts';
import { wayLines } from './way-lines.ts';

export type FormatAnswerOptions = {
  /** The part of a long answer that is shown in its place, and our words on how much that is and how to read the rest. */
  readonly shown?: { readonly text: string; readonly note: string };
  /** For the end of the footer, in our words. */
  readonly extraLines?: readonly string[];
  /** Words on why models were left, in the place of this package's own. */
  readonly words?: FailureWords | undefined;
};

/** An answer as a client shows it: warnings when another model stood in or the text is cut, the text, and a footer with the account of the call. */
export function formatAnswer(answer: AskAnswer, { shown, extraLines = [], words }: FormatAnswerOptions = {}): string {
  const warning = warningLines(answer, words);
  const footer = footerLines(answer, extraLines);
  return [
    ...(warning.length === 0 ? [] : [...warning, '']),
    ...(shown === undefined ? [answer.text] : [shown.text, '', shown.note]),
    ...(footer.length === 0 ? [] : ['', '---', ...footer]),
  ].join('\n');
}

/** What `formatAnswer` says around the text, for callers that show the two apart. Empty where nothing is known. */
export function formatAccount(
  answer: AskAnswer,
  { extraLines = [], words }: Omit<FormatAnswerOptions, 'shown'> = {},
): string {
  return [...warningLines(answer, words), ...footerLines(answer, extraLines)].join('\n');
}

function footerLines(answer: AskAnswer, extraLines: readonly string[]): readonly string[] {
  return [
    ...modelLines(answer),
    ...wayLines(answer.carriedBy),
    ...contextLines(answer.context),
    ...pageLines(answer),
    ...noticeLines(answer),
    ...extraLines,
  ];
}

function warningLines(answer: AskAnswer, words?: FailureWords): readonly string[] {
  return [...fallbackWarning(answer, words), ...endingWarning(answer), ...pageWarning(answer)];
}

function fallbackWarning({ model, attempts }: AskAnswer, words?: FailureWords): readonly string[] {
  const given = givenUp(model, attempts);
  if (given.length === 0) {
    return [];
  }
  return [
    `[WARNING: Fell back to ${escapeName(model)}]`,
    ...given.map((attempt) => `  - ${escapeName(attempt.model)}: ${reasonOf(attempt, words)}`),
  ];
}

function noticeLines({ notices = [] }: AskAnswer): readonly string[] {
  return notices.map((notice) => `Note: ${escapeName(notice)}`);
}

/** The last attempt of each model before the one that answered: the failure that made us leave it. */
function givenUp(model: string, attempts: readonly Attempt[]): readonly Attempt[] {
  const lastOfModel = new Map(attempts.map((attempt) => [attempt.model, attempt]));
  return [...lastOfModel.values()].filter((attempt) => attempt.model !== model);
}

function reasonOf({ failure }: Attempt, words?: FailureWords): string {
  return failure === null ? 'answered' : failureReason(failure, words);
}

function modelLines({ model, modelVersion, attempts, usage }: AskAnswer): readonly string[] {
  const given = givenUp(model, attempts);
  const ofAnswer = usage.filter((entry) => !given.some((attempt) => attempt.model === entry.model));
  const answered = modelVersion ?? answeringModel(model, ofAnswer);
  if (usage.length === 0 && isSameModel(model, answered)) {
    return [];
  }
  const [first] = given;
  const fallback = first === undefined ? '' : ` (fallback from ${escapeName(first.model)})`;
  return [
    `Model: ${escapeName(answered)}${askedFor(model, answered)}${fallback}`,
    ...(usage.length === 0 ? [] : [tokensLine(usage)]),
  ];
}

/** Thoughts, cached and tool tokens are given where a runner told of them. */
function tokensLine(usage: readonly ModelUsage[]): string {
  const count = (name: keyof Omit<ModelUsage, 'model'>): number =>
    usage.reduce((sum, entry) => sum + (entry[name] ?? 0), 0);
  const told = (name: keyof Omit<ModelUsage, 'model'>, words: string): readonly string[] =>
    count(name) === 0 ? [] : [`${formatCount(count(name))} ${words}`];
  const input = [...told('cachedTokens', 'cached'), ...told('toolTokens', 'more of tools')];
  const output = told('thoughtTokens', 'more of thoughts');
  return `Tokens: ${formatCount(count('inputTokens'))} input${inBrackets(input)} / ${formatCount(count('outputTokens'))} output${inBrackets(output)}`;
}

function inBrackets(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function askedFor(model: string, answered: string): string {
  if (answered === model) {
    return '';
  }
  return isSameModel(model, answered)
    ? ` (asked for as ${escapeName(model)})`
    : ` (another model than ${escapeName(model)}, which was asked for)`;
}

/** The CLI renames some models and may use small ones for side jobs: the one we asked for if it worked, else the one that wrote most. */
function answeringModel(model: string, usage: readonly ModelUsage[]): string {
  const asked = usage.find((entry) => entry.model === model);
  const [most] = [...usage].sort((a, b) => b.outputTokens - a.outputTokens);
  return asked?.model ?? most?.model ?? model;
}
