import { failureAdvice, type RunnerPreference } from '@gemini-mcp/core';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';
import type { TrialStart } from './doctor-probes.ts';

const name = 'Warm process';

/** The text where no process is kept, so that none was tried. */
export const warmUnused: Check = { name, status: 'ok', found: 'not used: the runner is headless', fix: null };

/** Whether the CLI can be kept running between calls. Where it cannot, `auto` goes on without, and `warm` cannot serve calls. */
export function checkWarm(runner: Exclude<RunnerPreference, 'headless' | 'api'>, start: TrialStart): Check {
  if (start.problem === null) {
    return { name, status: 'ok', found: `ready in ${(start.durationMs / 1_000).toFixed(1)} s`, fix: null };
  }
  const found = `the CLI cannot be kept running: ${start.problem}`;
  return runner === 'warm'
    ? {
        name,
        status: 'fail',
        found,
        fix: failureAdvice({ kind: 'runner-unavailable', excerpt: '' }, 'query', serverFailureWords),
      }
    : { name, status: 'warn', found, fix: doWithout };
}

const doWithout =
  'Nothing, but calls take longer. Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER=headless, so that it is not tried.';
