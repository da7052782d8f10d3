// `npm test`: every gate and every test. Ends with the line `N passed, N failed`, in which a gate counts as one. With
// `--also-node24` before whatever vitest is to be told, a part of the tests is run a second time, under Node 24.
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { build, install, run, runScript } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const alsoNode24 = args[0] === '--also-node24';

const gates = [
  ['install', install],
  ['build', build],
  ['types', () => runScript('typecheck')],
  ['lint', () => runScript('lint')],
  ['boundaries', () => runScript('boundaries')],
  ['unused code', () => runScript('unused')],
  ['package metadata', () => runScript('publint')],
  ['MCP Inspector', () => run(process.execPath, ['scripts/inspector.mjs'])],
];

const passedGates = [];
const failedGates = [];
for (const [name, runGate] of gates) {
  console.log(`\n== ${name}`);
  const passed = (await runGate()) === 0;
  (passed ? passedGates : failedGates).push(name);
  if (!passed && (name === 'install' || name === 'build')) {
    break;
  }
}

const canTest = !failedGates.some((name) => name === 'install' || name === 'build');
const runs = canTest ? await runAllTests() : [{ passed: 0, failed: 1 }];
const passed = runs.reduce((sum, tests) => sum + tests.passed, passedGates.length);
const failed = runs.reduce((sum, tests) => sum + tests.failed, failedGates.length);
if (failedGates.length > 0) {
  console.log(`\nFailed gates: ${failedGates.join(', ')}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runAllTests() {
  console.log('\n== tests');
  const tests = await runTests({ args: alsoNode24 ? args.slice(1) : args });
  if (!alsoNode24 || !hasNode24) {
    return [tests];
  }
  console.log('\n== tests on Node 24');
  return [tests, await runTestsOnNode24()];
}
