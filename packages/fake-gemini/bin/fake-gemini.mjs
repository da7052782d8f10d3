#!/usr/bin/env node
// @ts-check
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MAX_LIFETIME_MS, onEndingSignals, perform } from './fake-cli/actions.mjs';
import { claimRun, log } from './fake-cli/run-log.mjs';

/**
 * @import { CliStep, FakeCliScenario } from '../src/fake-cli/scenario.ts'
 * @import { Run } from './fake-cli/run-log.mjs'
 */

/** @type {FakeCliScenario} */
const DEFAULT_SCENARIO = {
  runs: [
    [
      { do: 'read-stdin' },
      { do: 'init' },
      { do: 'user-echo' },
      { do: 'text', chunks: ['This is the fake Gemini CLI.'] },
      { do: 'result', status: 'success' },
    ],
  ],
};

/**
 * Plays one run of a scenario in this process.
 *
 * @param {{ scenario: FakeCliScenario, directory: string | null }} options
 */
export async function runFakeGemini({ scenario, directory }) {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), MAX_LIFETIME_MS).unref();
  process.stdout.on('error', () => process.exit(1));
  process.stderr.on('error', () => process.exit(1));
  onEndingSignals(() => process.exit(0));
  const argv = process.argv.slice(2);
  const isVersionQuery = argv.includes('--version') || argv.includes('-v');
  const number = isVersionQuery || directory === null ? null : claimRun(directory);
  /** @type {Run} */
  const run = { directory, number, model: readModel(argv), stdin: null, characters: 0 };
  log(run, { type: 'started', isVersionQuery, ...describeProcess(argv) });
  await perform(chooseSteps(scenario, run, isVersionQuery), run);
  process.exit(0);
}

/** @type {(scenario: FakeCliScenario, run: Run, isVersionQuery: boolean) => readonly CliStep[]} */
function chooseSteps({ runs, version }, run, isVersionQuery) {
  if (isVersionQuery) {
    return version ?? [{ do: 'write', to: 'stdout', text: '0.61.0\n' }];
  }
  return runs[Math.min(run.number ?? 0, runs.length - 1)] ?? [];
}

/** @type {(argv: readonly string[]) => string} */
function readModel(argv) {
  const joined = argv.find((word) => word.startsWith('--model='));
  const flag = argv.findIndex((word) => word === '--model' || word === '-m');
  return joined?.slice('--model='.length) ?? (flag >= 0 ? argv[flag + 1] : undefined) ?? 'auto';
}

/** @param {readonly string[]} argv */
function describeProcess(argv) {
  const { pid, ppid, env } = process;
  return { pid, ppid, processGroup: readProcessGroup(), argv, cwd: process.cwd(), umask: process.umask(), env };
}

/** Reported by Linux only; field 5 of `stat`, counted after the name, which may contain blanks. @returns {number | null} */
function readProcessGroup() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return null;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runFakeGemini({ scenario: DEFAULT_SCENARIO, directory: null });
}
