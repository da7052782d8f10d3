import type { AskProgress } from '../ask-gemini/ask-request.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import { excerptFrom } from '../text/excerpt-from.ts';

/** The name of a web search in every runner, see `RunEvent`. */
const searchTool = 'google_web_search';

const withoutWords: GeminiFailure = { kind: 'search-failed', excerpt: '' };

/** Tracks whether the run that answers has searched. Each run starts from nothing: searches of earlier models do not count. */
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

  /** Why no search succeeded, as far as the runner reported it; null if a search did. */
  get failure(): GeminiFailure | null {
    return this.#hasSearched ? null : this.#failure;
  }

  /** Whether a search was tried and failed. */
  get hasFailed(): boolean {
    return !this.#hasSearched && this.#failure !== withoutWords;
  }
}

/** A search that fails without details keeps the failure of the one before. */
function failureOf({ failure, detail }: ToolEvent, before: GeminiFailure): GeminiFailure {
  if (failure !== undefined) {
    return failure;
  }
  return detail === undefined ? before : { kind: 'search-failed', excerpt: excerptFrom(detail) };
}
