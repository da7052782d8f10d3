import type { AskAnswer, Attempt } from '../answers/ask-result.ts';
import { isSameModel } from '../models/is-same-model.ts';
import type { NamedPage } from '../ports/gemini-runner/grounding.ts';
import type { ChoiceReason, HandledBy } from '../ports/gemini-runner/run-event.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';
import { escapeName } from '../text/escape-name.ts';
import { formatCount } from '../text/format-count.ts';
import { characterEnd } from '../text/truncate-text.ts';
import { contextLines } from './context-lines.ts';
import { endingWarning } from './ending-lines.ts';
import { failureReason } from './failure-reason.ts';
import type { FailureWords } from './failure-words.ts';

/** Enough to recognise a page. */
const shownCharacters = 200;

const reasons: Readonly<Record<Exclude<NamedPage['outcome'], 'read'>, string>> = {
  failed: 'could not be read',
  paywall: 'asks for money or a login',
  unsafe: 'refused by Google as unsafe',
  untold: 'not told whether it was read',
};

export type FormatAccountOptions = {
  /** Our own lines for its end. */
  readonly extraLines?: readonly string[];
  /** Texts on why models were given up that replace this package's own. */
  readonly words?: FailureWords | undefined;
};

/**
 * The account of a call, to show apart from the answer: warnings if another model stood in or the text is cut, then the models, the tokens and the
 * files sent. Empty if nothing is known.
 */
export function formatAccount(answer: AskAnswer, { extraLines = [], words }: FormatAccountOptions = {}): string {
  return [
    ...warningLines(answer, words),
    ...modelLines(answer),
    ...backendLines(answer.handledBy),
    ...contextLines(answer.context),
    ...pageLines(answer),
    ...noticeLines(answer),
    ...extraLines,
  ].join('\n');
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

/** The last attempt of each model before the one that answered, with the failure that caused the fallback. */
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

/** Thought, cached and tool tokens are shown if a runner reported them. */
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

/** The CLI renames some models and may use small ones for side jobs: the requested model if it worked, otherwise the one that wrote most. */
function answeringModel(model: string, usage: readonly ModelUsage[]): string {
  const asked = usage.find((entry) => entry.model === model);
  const [most] = [...usage].sort((a, b) => b.outputTokens - a.outputTokens);
  return asked?.model ?? most?.model ?? model;
}

/** The warning for an answer that uses none of the named pages; empty if a page was read, or the caller named no page. */
function pageWarning({ pages = [] }: Pick<AskAnswer, 'pages'>): readonly string[] {
  return pages.length === 0 || pages.some(({ outcome }) => outcome === 'read')
    ? []
    : ['[WARNING: Google read none of the pages, as far as it tells: the answer does not rest on them]'];
}

/** How many pages were read, and which were not and why. Empty if none were named. */
function pageLines({ pages = [] }: Pick<AskAnswer, 'pages'>): readonly string[] {
  const missed = pages.flatMap(({ url, outcome }) =>
    outcome === 'read' ? [] : [`  - ${reasons[outcome]}: ${shown(url)}`],
  );
  const read = pages.length - missed.length;
  return pages.length === 0 ? [] : [`Pages: ${formatCount(read)} of ${formatCount(pages.length)} read`, ...missed];
}

function shown(url: string): string {
  const text = escapeName(url);
  const end = characterEnd(text, 0, shownCharacters);
  return end < text.length ? `${text.slice(0, end)}\u2026` : text;
}

/** Why a call did not use the first backend; null if it did, or if the reason needs no mention. */
const becauseOf: Readonly<Record<ChoiceReason, string | null>> = {
  preferred: null,
  'asked-for': null,
  'needs-login': null,
  'in-reserve': null,
  'lacks-least': null,
  'needs-history': 'the call goes on with a conversation',
  'needs-system-prompt': 'the call brings a system prompt',
  'needs-tools': 'the call gives Gemini tools',
  'needs-directory': 'the call names a directory',
  'needs-media': 'the call has media of other types',
  'needs-api-key': 'the call has its own API key',
  'needs-sandbox': 'the call needs a sandbox',
  'needs-answer-schema': 'the call has a schema',
  'needs-thinking': 'the call says how much Gemini is to think',
  'needs-flexible-tier': 'the call asks for the flexible tier',
  'needs-token-count': null,
  'needs-tool-sources': 'the call names tools for Gemini',
  'needs-urls': 'the call names pages of the web',
  'too-large': 'the call is large',
  resting: 'the preferred backend was unavailable lately',
  refused: 'the preferred backend refused the call',
  unavailable: 'the other backend was unavailable',
};

/** The backend and login of an answer, and why it was not the first choice. Cost and terms depend on it. */
export function backendLines(handledBy: HandledBy | undefined): readonly string[] {
  if (handledBy === undefined) {
    return [];
  }
  const { by, login, reason } = handledBy;
  const because = becauseOf[reason];
  const brackets = login === undefined ? '' : ` (${escapeName(login)})`;
  return [`Via: ${escapeName(by)}${brackets}${because === null ? '' : `, because ${because}`}`];
}
