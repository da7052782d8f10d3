// `npm run test:node24`: installs, builds, and runs the tests that depend on the version of Node under Node 24.
import { reportOutcome } from './describe-outcome.mjs';
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { prepare } from './run-gate.mjs';

if (!hasNode24) {
  console.error('The Node 24 of these tests is a program for Linux on x64.');
  process.exit(1);
}
const gates = await prepare();
const runs = gates.every(({ passed }) => passed) ? [await runTestsOnNode24()] : [];
process.exit(reportOutcome({ gates, runs }));
