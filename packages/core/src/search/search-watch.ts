import type { AskProgress } from '../ask-gemini/ask-request.ts';
import { excerptFrom } from '../failure/excerpt-from.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ToolEvent } from '../ports/gemini-runner.ts';

/** The name under which every runner tells of a search, see `RunEvent`. */
const searchTool = 'google_web_search';

const withoutWords: GeminiFailure = { kind: 'search-failed', excerpt: '' };

/** Sees whether the run that answers has searched. Each run starts from nothing: what a model before it did counts for nothing. */
export class SearchWatch {
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
