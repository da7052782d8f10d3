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

/** The name under which every runner tells of a search, see `RunEvent`. */
const searchTool = 'google_web_search';

const withoutWords: GeminiFailure = { kind: 'search-failed', excerpt: '' };

/** Of the sentences that rest on a source: some of them say what it is about. */
const snippetCharacters = 500;

export type SearchWebOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The one that `askGemini` asks: what it declares decides what Gemini is asked for. */
  readonly runner: GeminiRunner;
};

/** One search as it goes on. */
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
   * Resolves to an answer that rests on a search, or to the failure. An answer without a search is one, and is not tried again:
   * its kind is what made the search fail, where that was told. Where the runner tells what was found as data, the sources come
   * from there, and the text has their numbers; else Gemini names them. A report of Gemini's that cannot be read is asked for once
   * more, inside the same deadline. Never rejects for anything that Gemini or the runner did; an abort of `signal` resolves to `cancelled`.
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
  const { owner, model, settings, timeoutMs } = request;
  // A search searches and does nothing else, whatever else was allowed.
  return { ...withoutFiles, owner, prompt, model, settings: { ...settings, tools }, timeoutMs };
}

/** A search searches and does nothing else, whatever else was allowed. */
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

/** An answer came, but it is none. Its text rests on no search, and is not shown as if it did. */
function failedAfter({ timeoutMs }: SearchRequest, answer: AskAnswer, failure: GeminiFailure): SearchResult {
  return { ok: false, failed: rejectAnswer(answer, failure, { timeoutMs }) };
}

/** What was found in a form for programs. The summary is the text, as it came. */
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

/** Sees whether the run that answers has searched. Each run starts from nothing: what a model before it did counts for nothing. */
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

  /** Null when a search succeeded. Else why there was none, as far as the runner has told. */
  get failure(): GeminiFailure | null {
    return this.#hasSearched ? null : this.#failure;
  }
}

/** A search that failed without a word leaves standing what the one before it said. */
function failureOf({ failure, detail }: ToolEvent, before: GeminiFailure): GeminiFailure {
  if (failure !== undefined) {
    return failure;
  }
  return detail === undefined ? before : { kind: 'search-failed', excerpt: excerptFrom(detail) };
}
