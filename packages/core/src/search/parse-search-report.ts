import { isWebAddress } from '../addresses/is-web-address.ts';
import { findJsonObjects } from '../json/find-json-objects.ts';
import { cleanLine, cleanText } from '../text/clean-text.ts';
import type { SearchReport, SearchSource } from './search-request.ts';

export type ParsedReport =
  | { readonly ok: true; readonly report: SearchReport }
  /** About the form alone: it quotes nothing of the text. */
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the report in an answer, wherever in it the JSON object is: the first object that is a report counts. At most `limit` sources are used.
 * Never throws, whatever the text.
 */
export function parseSearchReport(answer: string, limit: number | null): ParsedReport {
  let firstProblem: ParsedReport | null = null;
  for (const object of findJsonObjects(answer)) {
    const parsed = parseReport(object, limit);
    if (parsed.ok) {
      return parsed;
    }
    firstProblem ??= parsed;
  }
  return firstProblem ?? { ok: false, problem: 'it contains no JSON object' };
}

function parseReport(object: Readonly<Record<string, unknown>>, limit: number | null): ParsedReport {
  const { summary, sources } = object;
  if (typeof summary !== 'string' || cleanText(summary) === '') {
    return { ok: false, problem: '"summary" is not a string with text in it' };
  }
  if (!Array.isArray(sources)) {
    return { ok: false, problem: '"sources" is not an array' };
  }
  const wanted = limit === null ? sources : sources.slice(0, limit);
  const parsed: SearchSource[] = [];
  for (const [index, value] of wanted.entries()) {
    const source = parseSource(value);
    if (typeof source === 'string') {
      return { ok: false, problem: `source ${index + 1}: ${source}` };
    }
    parsed.push(source);
  }
  return { ok: true, report: { summary: cleanText(summary), sources: parsed } };
}

/** A source, or its fault. */
function parseSource(value: unknown): SearchSource | string {
  if (!isRecord(value)) {
    return 'it is not an object';
  }
  const { url, title, snippet = '' } = value;
  if (typeof url !== 'string' || !isWebAddress(cleanLine(url))) {
    return '"url" is not an http or https URL';
  }
  if (typeof title !== 'string') {
    return '"title" is not a string';
  }
  return typeof snippet === 'string'
    ? { url: cleanLine(url), title: cleanLine(title), snippet: cleanText(snippet) }
    : '"snippet" is not a string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
