import type { FailureKind } from '@gemini-mcp/core';

export type FailureSource = 'headless' | 'warm' | 'api';

/** Null if samples are recorded; else the reason for their absence, for a reader of docs/failures.md. */
export type Cell = string | null;

const recorded: Cell = null;
const ofOurs = 'our code decides this before it sends anything';
const ofTheCli = 'applies to the CLI only';
const ofTheRunner = 'the runner decides this; no answer reports it';
const notUp = 'a process that does not start is `runner-unavailable`';

/** The same reason for all three. */
function nowhere(why: string): Readonly<Record<FailureSource, Cell>> {
  return { headless: why, warm: why, api: why };
}

const everywhere: Readonly<Record<FailureSource, Cell>> = { headless: recorded, warm: recorded, api: recorded };
const byTheCli: Readonly<Record<FailureSource, Cell>> = { headless: recorded, warm: recorded, api: ofTheCli };

/** Which source can produce which kind of failure. A new kind does not compile until each source has an entry. */
export const failureSources: Readonly<Record<FailureKind, Readonly<Record<FailureSource, Cell>>>> = {
  'cli-missing': nowhere('the search for the CLI decides this'),
  'cli-outdated': { headless: recorded, warm: notUp, api: ofTheCli },
  'runner-unavailable': {
    headless: 'applies to the session mode only',
    warm: 'the start decides this from the output of the process (warm-faults.test.ts)',
    api: 'applies to the session mode only',
  },
  authentication: everywhere,
  'tier-retired': {
    headless: recorded,
    warm: 'not recorded: needs a login with Google, and the fake of that API serves one request per process',
    api: 'that API serves the CLI alone; keys have no retired tier',
  },
  'untrusted-workspace': { headless: recorded, warm: 'the session mode does not check trust', api: ofTheCli },
  configuration: { headless: recorded, warm: notUp, api: ofTheCli },
  'resources-exhausted': nowhere('the system reports this when we start a process or write a file'),
  'invalid-input': everywhere,
  unsupported: nowhere(ofOurs),
  'directory-refused': nowhere(ofOurs),
  'servers-refused': nowhere(ofOurs),
  'sandbox-missing': { headless: recorded, warm: 'no sandbox there: `unsupported`', api: ofTheCli },
  'unknown-session': nowhere(ofOurs),
  'search-failed': nowhere('`SearchWeb` decides this from the events of tools'),
  'invalid-answer': nowhere('`SearchWeb` and `AskForJson` decide this from the text of an answer'),
  'no-context': nowhere(ofOurs),
  'rate-limited': everywhere,
  'quota-exhausted': everywhere,
  'capacity-exhausted': everywhere,
  'model-not-found': everywhere,
  overloaded: everywhere,
  'server-error': everywhere,
  'context-too-large': everywhere,
  blocked: everywhere,
  'empty-answer': everywhere,
  'malformed-output': everywhere,
  network: {
    headless: recorded,
    warm: recorded,
    api: 'a failed connection brings no answer; the runner reports it',
  },
  'turn-limit': { headless: recorded, warm: recorded, api: 'one request is one turn' },
  'tool-denied': {
    headless: recorded,
    warm: 'the session mode reports a refused tool and goes on',
    api: 'no tools there need approval',
  },
  hung: {
    headless: 'a hung process of its own ends with `timeout`',
    warm: 'not recorded: needs a second run in the same process (warm-suspects.test.ts)',
    api: 'a hung request ends with `timeout`',
  },
  timeout: { headless: recorded, warm: recorded, api: ofTheRunner },
  cancelled: { headless: recorded, warm: recorded, api: ofTheRunner },
  busy: nowhere('the queue decides this'),
  crashed: byTheCli,
  unknown: {
    headless: recorded,
    warm: 'not recorded: a message without a status that no rule matches; the real CLI has not produced one',
    api: 'every error status has a meaning; the runner reports a malformed answer',
  },
};
