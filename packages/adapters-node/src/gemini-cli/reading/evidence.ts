import { excerptFrom } from '@gemini-mcp/core';
import { toWaitMs } from '@gemini-mcp/core/internal';
import type { CliOutcome } from './cli-outcome.ts';

/** The longest excerpt that a failure carries; see `excerptFrom`. */
const excerptCharacters = 500;

/** Lines that Gemini CLI 0.61.0 always writes to stderr, and the frames of a stack. */
const noise = /^(?:\s+at .*|Ripgrep is not available\..*|\[STARTUP\] .*)\n?/gm;

/**
 * The run's messages about its end: errors that arrived as events, else stderr of a run that ended before its first event. Later stderr
 * may echo whole requests, and a file's text that mentions quotas must not look like an error.
 */
export function outputText(outcome: CliOutcome): string {
  return outcome.messages.length > 0 ? outcome.messages.join('\n') : startupText(outcome);
}

function startupText({ sawEvents, signal, stderr }: CliOutcome): string {
  return sawEvents || signal !== null ? '' : stderr;
}

/** HTTP status of the API, or of a login that failed before the first event, in which case the CLI prints the error object. */
export function httpStatusOf(outcome: CliOutcome): number | null {
  if (outcome.httpStatus !== null) {
    return outcome.httpStatus;
  }
  const printed = /^ {2}status: (\d{3}),?$/m.exec(startupText(outcome))?.[1];
  return printed === undefined ? null : Number(printed);
}

/** The most informative part of a run's own output: the errors in events, else the end of stderr, else stray stdout. */
export function excerptOf({ messages, stderr, strayOutput }: CliOutcome): string {
  if (messages.length > 0) {
    return excerptFrom(messages.join('\n'));
  }
  const complaint = stderr.replace(noise, '').trim();
  return excerptFrom(complaint === '' ? strayOutput : complaint.slice(-excerptCharacters));
}

/** How the process ended, for a failure's `detail`; empty if it did not end, or if its ending means nothing. */
export function exitOf({ exitCode, signal }: Pick<CliOutcome, 'exitCode' | 'signal'>): string {
  if (signal !== null) {
    return `was ended by ${signal}`;
  }
  return exitCode === null ? '' : `ended with exit code ${exitCode}`;
}

/** Parses "Suggested retry after 2s." of the CLI, "Please retry in 41.2s." and "Your quota will reset after 5s." of the APIs. */
export function parseRetryAfterMs(text: string): number | null {
  const seconds = /(?:suggested retry after|please retry in|will reset after)\s+(\d+(?:\.\d+)?)\s*(ms|s)\b/i.exec(text);
  if (seconds?.[1] === undefined) {
    return null;
  }
  const amount = Number(seconds[1]);
  return toWaitMs(seconds[2] === 'ms' ? amount : amount * 1000);
}
