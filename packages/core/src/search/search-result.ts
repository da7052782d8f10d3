import type { AskAnswer, AskFailure } from '../answers/ask-result.ts';
import type { SearchReport } from './search-request.ts';

export type SearchResult =
  | {
      readonly ok: true;
      /** If the runner reported the sources, the text contains their numbers, such as ` [1, 3]`. */
      readonly answer: AskAnswer;
      /** Null unless it was requested. */
      readonly report: SearchReport | null;
      /** The numbered sources and the queries, for the account; missing if the runner reported none, and with a report. */
      readonly sourceLines?: readonly string[];
    }
  | { readonly ok: false; readonly failed: AskFailure };
