// `npm run test:node24`: installs, builds, and runs the tests that depend on the version of Node under Node 24.
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
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
const { passed, failed } = await runTestsOnNode24();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
