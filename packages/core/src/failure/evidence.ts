import type { RunOutcome } from './run-outcome.ts';

const excerptCharacters = 500;

/**
 * What the run said about its end. Errors that came as events speak first: stderr may echo whole requests, and a file's
 * text that mentions quotas must not look like one.
 */
export function saidText(outcome: RunOutcome): string {
  return outcome.messages.length > 0 ? outcome.messages.join('\n') : outcome.stderr;
}

/** The piece of a run's own words that is worth showing: the events' errors, else the end of stderr, else what stood on stdout. */
export function excerptOf(outcome: RunOutcome): string {
  const said = saidText(outcome).trim();
  if (said !== '') {
    return outcome.messages.length > 0 ? said.slice(0, excerptCharacters) : said.slice(-excerptCharacters);
  }
  return outcome.strayOutput.trim().slice(0, excerptCharacters);
}

/** Reads "Suggested retry after 2s." of the CLI and "Please retry in 41.2s." of the API. */
export function parseRetryAfterMs(text: string): number | null {
  const seconds = /(?:suggested retry after|please retry in)\s+(\d+(?:\.\d+)?)\s*(ms|s)\b/i.exec(text);
  if (seconds?.[1] === undefined) {
    return null;
  }
  const amount = Number(seconds[1]);
  return Math.ceil(seconds[2] === 'ms' ? amount : amount * 1000);
}
