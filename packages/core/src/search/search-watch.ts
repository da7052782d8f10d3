import type { AskProgress } from '../ask-gemini/ask-request.ts';
import { classifySaid } from '../failure/classify-said.ts';
import { excerptFrom } from '../failure/evidence.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';

const searchTool = 'google_web_search';

/**
 * What Gemini CLI 0.61.0 puts before the error of a search. The query in it is a stranger's text, which must not be taken for
 * what the error says.
 */
const errorHead = /^(?:Error:\s*)?Error during web search for query ".*?":\s*/s;

/** Sees whether the run that answers has searched. Each run starts anew: what a model before it did counts for nothing. */
export class SearchWatch {
  #hasSearched = false;
  #said = '';

  observe(progress: AskProgress): void {
    if (progress.type === 'asking') {
      this.#hasSearched = false;
      this.#said = '';
    }
    if (progress.type !== 'tool' || progress.name !== searchTool) {
      return;
    }
    this.#hasSearched ||= progress.phase === 'succeeded';
    this.#said = progress.phase === 'failed' ? (progress.detail ?? this.#said) : this.#said;
  }

  /** Null when a search succeeded. Else why there was none: what the failed tool said, by the rules for whole runs. */
  get failure(): GeminiFailure | null {
    if (this.#hasSearched) {
      return null;
    }
    const said = this.#said.replace(errorHead, '');
    return classifySaid(said) ?? { kind: 'search-failed', excerpt: excerptFrom(said) };
  }
}
