// Runs failed tests a second time, alone, and tells the ones that passed then from the ones that failed again.
import { runTests } from './run-tests.mjs';

/** So many failures have a common cause, which is no accident of a busy machine. */
const maxReruns = 10;

/**
 * Runs the failed tests of all `runs` once more, file by file, with nothing else running. A test that passes now counts as
 * passed. Resolves to the count of passed tests, `flaky` with the failures that passed alone, and `failures` with the others;
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
  const { stage, node, environment, options } = run;
  // A failed hook or import belongs to no test, and the tests after it have no result: the whole file runs again.
  const isWhole = first.failures.some(({ title }) => title === null);
  const selection = isWhole ? [] : ['-t', patternOf(first.failures)];
  console.log(`\n== again, alone: ${first.file}`);
  const args = [first.file, ...selection, '--maxWorkers=1'];
  const { files, faults } = await runTests({ stage, node, environment, options, args });
  const second = files.find(({ file }) => file === first.file);
  if (second === undefined || faults.length > 0) {
    return keep(run, first);
  }
  return isWhole ? settleFile(run, first, second) : settleTests(run, first, second);
}

function settleFile(run, first, second) {
  const hasPassed = second.failures.length === 0 && second.passed.length > 0;
  return hasPassed
    ? { passed: second.passed.length, flaky: locate(run.stage, first.file, first.failures), failures: [] }
    : keep(run, first);
}

function settleTests(run, first, second) {
  const failedAgain = new Set(second.failures.map(({ title }) => title));
  const hasPassed = ({ title }) => second.passed.includes(title) && !failedAgain.has(title) && !failedAgain.has(null);
  const flaky = first.failures.filter(hasPassed);
  const failures = first.failures.filter((failure) => !hasPassed(failure));
  return {
    passed: first.passed.length + flaky.length,
    flaky: locate(run.stage, first.file, flaky),
    failures: locate(run.stage, first.file, failures),
  };
}

/** Matches these titles and no others. Only printable ASCII goes into it literally: an argument cannot hold every character. */
function patternOf(failures) {
  const titles = failures.map(({ title }) =>
    title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/[^ -~]/g, '[^]'),
  );
  return `^(${titles.join('|')})$`;
}
