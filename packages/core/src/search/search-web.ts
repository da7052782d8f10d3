import { type AskAnswer, rejectAnswer } from '../answers/ask-result.ts';
import { askAgain } from '../ask-gemini/ask-again.ts';
import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskProgress, type AskRequest, type OnProgress, withoutFiles } from '../ask-gemini/ask-request.ts';
import { capabilitiesFor } from '../ask-gemini/run-request-of.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { Grounding } from '../ports/gemini-runner/grounding.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import type { ToolAccess } from '../ports/gemini-runner/run-settings.ts';
import { cleanText } from '../text/clean-text.ts';
import { excerptFrom } from '../text/excerpt-from.ts';
import { characterEnd } from '../text/truncate-text.ts';
import { type FoundSources, foundSources } from './found-sources.ts';
import { markSources, sourceLines } from './mark-sources.ts';
import { parseSearchReport } from './parse-search-report.ts';
import { buildGroundedSearchPrompt, buildRepairPrompt, buildSearchPrompt } from './search-prompt.ts';
import type { SearchReport, SearchRequest } from './search-request.ts';
import type { SearchResult } from './search-result.ts';

/** The name of a web search in every runner, see `RunEvent`. */
const searchTool = 'google_web_search';

const withoutWords: GeminiFailure = { kind: 'search-failed', excerpt: '' };

/** Limit for the sentences that rest on a source: a few of them show the source's topic. */
const snippetCharacters = 500;

export type SearchWebOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The runner that `askGemini` uses: its capabilities decide the prompt. */
  readonly runner: GeminiRunner;
};

/** One search in progress. */
type Search = {
  readonly request: SearchRequest;
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

/** Searches the web through Gemini. */
export class SearchWeb {
  readonly #options: SearchWebOptions;

  constructor(options: SearchWebOptions) {
    this.#options = options;
  }

  /**
   * Resolves to an answer that rests on a search, or to the failure. An answer without a search is a failure and is not retried: its kind is the
   * reason why the search failed, if known. If the runner returns the search result as data, the sources come from there, and the text contains their
   * numbers; otherwise Gemini names them. An unreadable report of Gemini is requested once more, within the same deadline. Never rejects because of
   * Gemini or the runner; an abort of `signal` resolves to `cancelled`.
   */
  async search(request: SearchRequest, onProgress: OnProgress, signal: AbortSignal): Promise<SearchResult> {
    const { clock, askGemini } = this.#options;
    const search = { request, deadlineAtMs: clock.now() + request.timeoutMs, onProgress };
    const watch = new SearchWatch();
    const asked = await askGemini.ask(
      questionOf(request, { prompt: this.#promptFor(request), tools: 'web-search' }),
      (progress) => {
        watch.observe(progress);
        onProgress(progress);
      },
      signal,
    );
    if (!asked.ok) {
      return { ok: false, failed: asked.failed };
    }
    const { failure } = watch;
    if (failure !== null) {
      return failedAfter(request, asked.answer, failure);
    }
    if (asked.answer.grounding !== undefined) {
      return presentFound(request, asked.answer, asked.answer.grounding);
    }
    return request.structured
      ? this.#report(search, asked.answer, signal)
      : { ok: true, answer: asked.answer, report: null };
  }

  #promptFor(request: SearchRequest): string {
    const { grounding = false } = capabilitiesFor(this.#options.runner, {
      settings: { ...request.settings, tools: 'web-search' },
    });
    return grounding ? buildGroundedSearchPrompt(request) : buildSearchPrompt(request);
  }

  async #report(search: Search, answer: AskAnswer, signal: AbortSignal): Promise<SearchResult> {
    const parsed = parseSearchReport(answer.text, search.request.limit);
    return parsed.ok
      ? { ok: true, answer, report: parsed.report }
      : this.#repair(search, { answer, problem: parsed.problem }, signal);
  }

  async #repair(
    { request, deadlineAtMs, onProgress }: Search,
    { answer, problem }: { readonly answer: AskAnswer; readonly problem: string },
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const prompt = buildRepairPrompt({ answer: answer.text, problem });
    const question = { ...questionOf(request, { prompt, tools: 'none' }), model: answer.model };
    const asked = await askAgain(
      { ...this.#options, before: answer, request: question, deadlineAtMs, onProgress },
      signal,
    );
    if (asked === null) {
      return invalid(request, answer);
    }
    if (!asked.ok) {
      return asked;
    }
    const parsed = parseSearchReport(asked.answer.text, request.limit);
    return parsed.ok ? { ok: true, answer: asked.answer, report: parsed.report } : invalid(request, asked.answer);
  }
}

function questionOf(
  request: SearchRequest,
  { prompt, tools }: { readonly prompt: string; readonly tools: ToolAccess },
): AskRequest {
  const { owner, model, settings, timeoutMs, trace, origin } = request;
  // A search uses no other tools, whatever else was allowed.
  return { ...withoutFiles, owner, prompt, model, settings: { ...settings, tools }, timeoutMs, trace, origin };
}

/** The result of a search whose sources are data. */
function presentFound({ structured, limit }: SearchRequest, answer: AskAnswer, grounding: Grounding): SearchResult {
  const found = foundSources(answer.text, grounding, limit);
  return structured
    ? { ok: true, answer, report: reportFound(answer.text, found) }
    : {
        ok: true,
        answer: { ...answer, text: markSources(answer.text, found) },
        report: null,
        sourceLines: sourceLines(found),
      };
}

function invalid(request: SearchRequest, answer: AskAnswer): SearchResult {
  return failedAfter(request, answer, {
    kind: 'invalid-answer',
    excerpt: excerptFrom(answer.text),
    saidBy: 'Gemini',
  });
}

/** An answer came without a search. Its text is not shown, so that it is not mistaken for a search result. */
function failedAfter({ timeoutMs }: SearchRequest, answer: AskAnswer, failure: GeminiFailure): SearchResult {
  return { ok: false, failed: rejectAnswer(answer, failure, { timeoutMs }) };
}

/** The search result in a form for programs. The summary is the unchanged text. */
function reportFound(text: string, { queries, sources, supports }: FoundSources): SearchReport {
  const supported = supports.map(({ start, end, sources: places }) => ({
    text: cleanText(text.slice(start, end)),
    sources: places,
  }));
  return {
    summary: cleanText(text),
    sources: sources.map(({ url, title, domain, isRedirect }, index) => ({
      url,
      title,
      snippet: cut(supported.flatMap((one) => (one.sources.includes(index) ? [one.text] : [])).join(' ')),
      ...(domain !== undefined && { domain }),
      ...(isRedirect && { redirect: true }),
    })),
    queries,
    supports: supported,
  };
}

function cut(text: string): string {
  return text.slice(0, characterEnd(text, 0, snippetCharacters));
}

/** Tracks whether the run that answers has searched. Each run starts from nothing: searches of earlier models do not count. */
class SearchWatch {
  #hasSearched = false;
  #failure: GeminiFailure = withoutWords;

  observe(progress: AskProgress): void {
    if (progress.type === 'asking') {
      this.#hasSearched = false;
      this.#failure = withoutWords;
    }
    if (progress.type !== 'tool' || progress.name !== searchTool) {
      return;
    }
    this.#hasSearched ||= progress.phase === 'succeeded';
    this.#failure = progress.phase === 'failed' ? failureOf(progress, this.#failure) : this.#failure;
  }

  /** Why no search succeeded, as far as the runner reported it; null if a search did. */
  get failure(): GeminiFailure | null {
    return this.#hasSearched ? null : this.#failure;
  }
}

/** A search that fails without details keeps the failure of the one before. */
function failureOf({ failure, detail }: ToolEvent, before: GeminiFailure): GeminiFailure {
  if (failure !== undefined) {
    return failure;
  }
  return detail === undefined ? before : { kind: 'search-failed', excerpt: excerptFrom(detail) };
}
