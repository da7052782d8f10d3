import { excerptFrom, type GeminiFailure, type ToolEvent } from '@gemini-mcp/core';
import { attributeToCli, outputRows, type SaidRow, tierRow } from './output-rules.ts';

/** The CLI's web tool: it asks a model itself, and so can fail as a run does. */
const searchTool = 'google_web_search';

/**
 * The prefix that Gemini CLI 0.61.0 puts before the error of a search. It holds the query, untrusted text that must not pass for the
 * error.
 */
const errorHead = /^(?:Error:\s*)?Error during web search for query ".*?":\s*/s;

/** The details of a failed tool for its event, from its capped and redacted message: empty without a message. */
export function toolFailure(name: string, detail: string): Pick<ToolEvent, 'detail' | 'failure'> {
  if (detail === '') {
    return {};
  }
  if (name !== searchTool) {
    return { detail };
  }
  const said = detail.replace(errorHead, '');
  const failure = classifySaid(said) ?? { kind: 'search-failed', excerpt: excerptFrom(said) };
  return { detail, failure: attributeToCli(failure) };
}

/** "got status: 503 Service Unavailable", "HTTP 404", and the error object of the API. */
const printedStatus = /(?:"code"\s*:|\bstatus(?: code)?:?|\bHTTP(?:\/[\d.]+)?)\s*([45]\d\d)\b/i;

/**
 * Classifies an error text by the rules for whole runs; null if no rule matches. Such a text often lacks the HTTP status: then its
 * wording decides.
 */
export function classifySaid(text: string): GeminiFailure | null {
  const printed = printedStatus.exec(text)?.[1];
  const httpStatus = printed === undefined ? null : Number(printed);
  const row = [tierRow, ...outputRows].find((candidate) => tells(candidate, text, httpStatus));
  return row?.build({ answered: false, said: text, excerpt: excerptFrom(text), httpStatus }) ?? null;
}

function tells({ statuses, words }: SaidRow, text: string, httpStatus: number | null): boolean {
  const isOfStatus = statuses === undefined || httpStatus === null || statuses.includes(httpStatus);
  return words === undefined ? httpStatus !== null && isOfStatus : isOfStatus && words.test(text);
}
