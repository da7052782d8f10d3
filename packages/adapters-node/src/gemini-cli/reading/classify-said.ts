import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';
import { type SaidRow, saidRows, tierRow } from './said-rules.ts';

/** "got status: 503 Service Unavailable", "HTTP 404", and the error object of the API. */
const printedStatus = /(?:"code"\s*:|\bstatus(?: code)?:?|\bHTTP(?:\/[\d.]+)?)\s*([45]\d\d)\b/i;

/**
 * Says what a piece of text that tells of an error means, by the rules for whole runs; null when they do not know it. Text
 * alone often leaves out the HTTP status: then the words decide.
 */
export function classifySaid(text: string): GeminiFailure | null {
  const printed = printedStatus.exec(text)?.[1];
  const httpStatus = printed === undefined ? null : Number(printed);
  const row = [tierRow, ...saidRows].find((candidate) => tells(candidate, text, httpStatus));
  return row?.build({ answered: false, said: text, excerpt: excerptFrom(text), httpStatus }) ?? null;
}

function tells({ statuses, words }: SaidRow, text: string, httpStatus: number | null): boolean {
  const isOfStatus = statuses === undefined || httpStatus === null || statuses.includes(httpStatus);
  return words === undefined ? httpStatus !== null && isOfStatus : isOfStatus && words.test(text);
}
