// `npm test`: every gate and every test. Ends with the line `N passed, N failed`, in which a gate counts as one. With
// `--also-node24` before the options for vitest, a part of the tests is run a second time, under Node 24; as root, a part as an
// ordinary user. A failed test runs again, alone, after everything else.
import { describeOutcome } from './describe-outcome.mjs';
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { isRoot, runTestsAsOrdinaryUser } from './ordinary-user.mjs';
import { rerunFailures } from './rerun-failures.mjs';
import { build, install, runAside, scriptCommand } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const alsoNode24 = args[0] === '--also-node24';

const preparations = [
  ['install', install],
  ['build', build],
];

/** They write nothing that another reads, so they run side by side. Their programs are there after the install. */
const listChecks = () => [
  ['types', scriptCommand('typecheck')],
  ['lint', scriptCommand('lint')],
  ['boundaries', scriptCommand('boundaries')],
  ['unused code', scriptCommand('unused')],
  ['published packages', scriptCommand('published')],
  ['MCP Inspector', [process.execPath, 'scripts/inspector.mjs']],
];

const passedGates = [];
const failedGates = [];
for (const [name, prepare] of preparations) {
  console.log(`\n== ${name}`);
  if ((await prepare()) !== 0) {
    failedGates.push({ name, output: '' });
    break;
  }
  passedGates.push(name);
}

const canTest = failedGates.length === 0;
if (canTest) {
  await Promise.all(listChecks().map(runCheck));
}
const tests = canTest ? await rerunFailures(await runAllTests()) : { passed: 0, flaky: [], failures: [] };
console.log(`\n${describeOutcome({ passedGates, failedGates, tests })}`);
process.exit(failedGates.length === 0 && tests.failures.length === 0 ? 0 : 1);

async function runCheck([name, [file, ...args]]) {
  const { exitCode, output } = await runAside(file, args);
  console.log(`\n== ${name}\n${output.trimEnd()}`);
  if (exitCode === 0) {
    passedGates.push(name);
  } else {
    failedGates.push({ name, output });
  }
}

async function runAllTests() {
  console.log('\n== tests');
  const filters = alsoNode24 ? args.slice(1) : args;
  const runs = [await runTests({ args: filters })];
  if (isRoot && filters.length === 0) {
    console.log('\n== tests as an ordinary user');
    runs.push(...(await runTestsAsOrdinaryUser()));
  }
  if (alsoNode24 && hasNode24) {
    console.log('\n== tests on Node 24');
    runs.push(await runTestsOnNode24());
  }
  return runs;
}
