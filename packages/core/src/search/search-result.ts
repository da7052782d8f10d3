import type { AskAnswer, AskFailure } from '../ask-gemini/ask-result.ts';
import type { SearchReport } from './search-request.ts';

export type SearchResult =
  /** `report` is there when it was asked for. */
  | { readonly ok: true; readonly answer: AskAnswer; readonly report: SearchReport | null }
  | { readonly ok: false; readonly failed: AskFailure };
