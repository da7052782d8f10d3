// `npm run test:node24`: installs, builds, and runs the tests that depend on the version of Node under Node 24.
import { describeOutcome } from './describe-outcome.mjs';
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { rerunFailures } from './rerun-failures.mjs';
import { build, install } from './run-step.mjs';

if (!hasNode24) {
  console.error('The Node 24 of these tests is a program for Linux on x64.');
  process.exit(1);
}
for (const step of [install, build]) {
  const exitCode = await step();
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
const tests = await rerunFailures([await runTestsOnNode24()]);
console.log(`\n${describeOutcome({ tests })}`);
process.exit(tests.failures.length === 0 ? 0 : 1);
