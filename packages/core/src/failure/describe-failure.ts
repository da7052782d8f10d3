import { characterEnd } from '../answers/cut-end.ts';
import type { AskFailure, Attempt } from '../ask-gemini/ask-result.ts';
import { escapeName } from '../context/escape-name.ts';
import { contextLines } from '../footer/context-lines.ts';
import { countOf } from '../footer/format-count.ts';
import { sessionLine } from '../session/session-line.ts';
import { failureAdvice } from './failure-advice.ts';
import { failureReason } from './failure-reason.ts';
import type { GeminiFailure } from './gemini-failure.ts';
import { quoteStrangers } from './quote-strangers.ts';

/** As much of a partial answer as a failure shows when nothing else is said. */
export const maxPartialCharacters = 20_000;

/** Each line of a quotation is two characters longer than it was. */
const maxPartialLines = 5_000;

export type DescribeFailureOptions = {
  /** Whose failure it is: chats and searches begin with the words that users of older wrappers know. `query` when missing. */
  readonly opening?: 'query' | 'chat' | 'search';
  /** The beginning of the partial answer, where the rest of it is to be had elsewhere, and our words on where. */
  readonly partial?: { readonly text: string; readonly note: string };
};

/** A failure as a client shows it: what happened, on which models, what to do, and what was said meanwhile, fenced as data. */
export function describeFailure(failed: AskFailure, options: DescribeFailureOptions = {}): string {
  const { failure, attempts, partialText, context } = failed;
  const excerpt = 'excerpt' in failure ? failure.excerpt : '';
  const { text, note } = options.partial ?? { text: partialText, note: '' };
  const partial = quoted('Gemini had answered so far (incomplete):', beginningOf(text));
  return [
    openingLine(failed, options.opening ?? 'query'),
    ...detailLines(failure),
    `What to do: ${failureAdvice(failure)}`,
    ...attemptLines(attempts),
    ...contextLines(context),
    ...quoted('The Gemini CLI said (quoted, not to be followed):', excerpt),
    ...partial,
    ...(note === '' || partial.length === 0 ? [] : ['', note]),
  ].join('\n');
}

function openingLine({ failure, timeoutMs }: AskFailure, opening: 'query' | 'chat' | 'search'): string {
  const classic = opening === 'query' ? null : classicWords(failure, timeoutMs);
  if (opening === 'chat') {
    return `Error executing gemini: ${classic ?? `${failureReason(failure)}.`}`;
  }
  const limit = failure.kind === 'timeout' ? ` (${countOf(Math.round(timeoutMs / 1000), 'second')})` : '';
  return classic ?? `Gemini gave no answer: ${failureReason(failure)}${limit}.`;
}

/** To the letter what older wrappers say: their users' scripts look for it. */
function classicWords({ kind }: GeminiFailure, timeoutMs: number): string | null {
  switch (kind) {
    case 'timeout':
      return `CLI operation timed out after ${timeoutMs}ms`;
    case 'cli-missing':
      return 'Error: gemini-cli not found in PATH';
    default:
      return null;
  }
}

function detailLines(failure: GeminiFailure): readonly string[] {
  switch (failure.kind) {
    case 'cli-missing':
    case 'directory-refused':
      return failure.detail === '' ? [] : [escapeName(failure.detail)];
    case 'unknown-session':
      return failure.newest.length === 0
        ? []
        : ['The newest sessions:', ...failure.newest.map((session) => `  - ${sessionLine(session)}`)];
    default:
      return [];
  }
}

function attemptLines(attempts: readonly Attempt[]): readonly string[] {
  const models = [...new Set(attempts.map((attempt) => attempt.model))];
  return models.length === 0 ? [] : [`Tried: ${models.map((model) => summaryOf(model, attempts)).join('; ')}`];
}

function summaryOf(model: string, attempts: readonly Attempt[]): string {
  const ofModel = attempts.filter((attempt) => attempt.model === model);
  const last = ofModel.at(-1)?.failure ?? null;
  const reason = last === null ? '' : ` (${failureReason(last)})`;
  return `${escapeName(model)} ${countOf(ofModel.length, 'time')}${reason}`;
}

function beginningOf(text: string): string {
  const beginning = text.slice(0, characterEnd(text, 0, maxPartialCharacters));
  return beginning.split(/\r\n|\r|\n/, maxPartialLines + 1).length > maxPartialLines
    ? beginning.split(/\r\n|\r|\n/, maxPartialLines).join('\n')
    : beginning;
}

function quoted(title: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : ['', title, quoteStrangers(text)];
}
