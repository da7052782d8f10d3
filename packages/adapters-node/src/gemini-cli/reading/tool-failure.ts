import { excerptFrom, type GeminiFailure, type ToolEvent } from '@gemini-mcp/core';
import { attributeToCli, outputRows, type SaidRow, tierRow } from './output-rules.ts';

/** The CLI's tool for the web: the one that asks a model of its own, and can fail as a run does. */
const searchTool = 'google_web_search';

/**
 * What Gemini CLI 0.61.0 puts before the error of a search. The query in it is a stranger's text, which must not be taken for
 * what the error says.
 */
const errorHead = /^(?:Error:\s*)?Error during web search for query ".*?":\s*/s;

/** What an event tells of a tool that failed, by what was said of it, capped and redacted: nothing where nothing was. */
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
 * Says what a piece of text that tells of an error means, by the rules for whole runs; null when they do not know it. Text
 * alone often leaves out the HTTP status: then the words decide.
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
