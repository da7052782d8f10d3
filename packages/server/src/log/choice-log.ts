import type { ChoiceReason, RunnerChoice } from '@gemini-mcp/core';
import type { Log } from './log.ts';

export type ChoiceLog = (choice: RunnerChoice) => void;

/** Choices for these reasons are logged at `debug`. */
const expected: readonly ChoiceReason[] = ['preferred', 'asked-for', 'needs-login'];

/**
 * Makes what writes into a log which runner a request was given to, and why: at `debug` where it is the one that comes first,
 * at `info` where another one had to.
 */
export function createChoiceLog(log: Log): ChoiceLog {
  return ({ runner, reason, text, detail }) => {
    const level = expected.includes(reason) ? 'debug' : 'info';
    log[level]('runner-chosen', { runner, reason, text, ...(detail === undefined ? {} : { detail }) });
  };
}
