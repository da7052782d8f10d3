import type { FailureKind } from '@gemini-mcp/core';

export type FailureSource = 'headless' | 'warm' | 'api';

/** Null where samples are recorded; else why there are none, for a reader of docs/failures.md. */
export type Cell = string | null;

const recorded: Cell = null;
const ofOurs = 'our code decides it, before anything is sent';
const ofTheCli = 'it is about the CLI';
const ofTheRunner = 'the runner decides it: no answer says so';
const notUp = 'a process that does not come up is `runner-unavailable`';

/** All three alike. */
function nowhere(why: string): Readonly<Record<FailureSource, Cell>> {
  return { headless: why, warm: why, api: why };
}

const everywhere: Readonly<Record<FailureSource, Cell>> = { headless: recorded, warm: recorded, api: recorded };
const byTheCli: Readonly<Record<FailureSource, Cell>> = { headless: recorded, warm: recorded, api: ofTheCli };

/** Which source of answers says which kind of failure. A new kind does not compile until that is decided for each source. */
export const failureSources: Readonly<Record<FailureKind, Readonly<Record<FailureSource, Cell>>>> = {
  'cli-missing': nowhere('there is nothing that could say so: finding the CLI decides it'),
  'cli-outdated': { headless: recorded, warm: notUp, api: ofTheCli },
  'runner-unavailable': {
    headless: 'it is about the session mode',
    warm: 'the start decides it, by whatever the process said (warm-faults.test.ts)',
    api: 'it is about the session mode',
  },
  authentication: everywhere,
  'tier-retired': {
    headless: recorded,
    warm: 'not recorded: it takes a login with Google, whose API is played in a process for one request only',
    api: 'that API serves the CLI alone; a key has no tier that is retired',
  },
  'untrusted-workspace': { headless: recorded, warm: 'the session mode does not ask for trust', api: ofTheCli },
  configuration: { headless: recorded, warm: notUp, api: ofTheCli },
  'resources-exhausted': nowhere('the system says so, when something is started or written'),
  'invalid-input': everywhere,
  unsupported: nowhere(ofOurs),
  'directory-refused': nowhere(ofOurs),
  'servers-refused': nowhere(ofOurs),
  'sandbox-missing': { headless: recorded, warm: 'it has no sandbox: `unsupported`', api: ofTheCli },
  'unknown-session': nowhere(ofOurs),
  'search-failed': nowhere('`SearchWeb` decides it, by the events of tools'),
  'invalid-answer': nowhere('`SearchWeb` and `AskForJson` decide it, by the text of an answer'),
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
    api: 'a connection that fails brings no answer: the runner says so',
  },
  'turn-limit': { headless: recorded, warm: recorded, api: 'one request is one turn' },
  'tool-denied': {
    headless: recorded,
    warm: 'the session mode tells of a refused tool, and goes on',
    api: 'it has no tools that are asked for',
  },
  hung: {
    headless: 'a process of its own that hangs runs out of time: `timeout`',
    warm: 'not recorded: it takes a second run in the same process (warm-suspects.test.ts)',
    api: 'a request that hangs runs out of time: `timeout`',
  },
  timeout: { headless: recorded, warm: recorded, api: ofTheRunner },
  cancelled: { headless: recorded, warm: recorded, api: ofTheRunner },
  busy: nowhere('the queue decides it'),
  crashed: byTheCli,
  unknown: {
    headless: recorded,
    warm: 'not recorded: words without a status that no rule knows; the real CLI said none so far',
    api: 'every status of an error means something; an answer that is no answer is for the runner to tell',
  },
};
