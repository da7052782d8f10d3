// Runs failed tests a second time, alone, and tells the ones that passed then from the ones that failed again.
import { runTests } from './run-tests.mjs';

/** So many failures have a common cause, which is no accident of a busy machine. */
const maxReruns = 10;

/**
 * Runs the failed tests of all `runs` once more, one by one, with nothing else running. A test that passes now counts as
 * passed. A property runs with the seed with which it failed. Resolves to the count of passed tests, `flaky` with the failures that passed alone, and `failures` with the others;
 * each has its first error. Errors outside of files are failures, and nothing is run again for them.
 */
export async function rerunFailures(runs) {
  const files = runs.flatMap((run) => run.files.map((first) => ({ run, first })));
  const failed = files.reduce((sum, { first }) => sum + first.failures.length, 0);
  const outcomes = runs.map(({ stage, faults }) => ({ passed: 0, flaky: [], failures: locate(stage, null, faults) }));
  for (const { run, first } of files) {
    const isRunAgain = first.failures.length > 0 && failed <= maxReruns;
    outcomes.push(isRunAgain ? await settle(run, first) : keep(run, first));
  }
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    flaky: outcomes.flatMap(({ flaky }) => flaky),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

function keep({ stage }, { file, passed, failures }) {
  return { passed: passed.length, flaky: [], failures: locate(stage, file, failures) };
}

function locate(stage, file, failures) {
  return failures.map((failure) => ({ title: null, ...failure, stage, file }));
}

async function settle(run, first) {
  // A failed hook or import belongs to no test, and the tests after it have no result: the whole file runs again.
  if (first.failures.some(({ title }) => title === null)) {
    const second = await runAlone(run, first.file);
    const hasPassed = second !== null && second.failures.length === 0 && second.passed.length > 0;
    const flaky = locate(run.stage, first.file, first.failures);
    return hasPassed ? { passed: second.passed.length, flaky, failures: [] } : keep(run, first);
  }
  const outcome = { passed: first.passed.length, flaky: [], failures: [] };
  for (const failure of first.failures) {
    const [located] = locate(run.stage, first.file, [failure]);
    if (await passesAlone(run, first.file, failure)) {
      outcome.passed += 1;
      outcome.flaky.push(located);
    } else {
      outcome.failures.push(located);
    }
  }
  return outcome;
}

async function passesAlone(run, file, { title, message }) {
  const [, seed] = /^Property (?:failed|interrupted) after .*\{ seed: (-?\d+)/s.exec(message) ?? [];
  const environment = seed === undefined ? {} : { GEMINI_MCP_PROPERTY_SEED: seed };
  const second = await runAlone(run, file, { args: ['-t', patternOf(title)], environment });
  return second !== null && second.failures.length === 0 && second.passed.includes(title);
}

/** Resolves to the results of the file; to null if there are none, or an error outside of it. */
async function runAlone({ stage, node, environment, user, options }, file, more = {}) {
  console.log(`\n== again, alone: ${file}`);
  const variables = { ...environment, ...more.environment };
  const args = [file, '--maxWorkers=1', ...(more.args ?? [])];
  const { files, faults } = await runTests({ stage, node, environment: variables, user, options, args });
  return faults.length > 0 ? null : (files.find((result) => result.file === file) ?? null);
}

/** Matches this title and no other. Only printable ASCII goes into it literally: an argument cannot hold every character. */
function patternOf(title) {
  return `^${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/[^ -~]/g, '[^]')}$`;
}
