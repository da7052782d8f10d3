// `npm test`: every gate and every test. Ends with the line `N passed, N failed`, in which a gate counts as one. With
// `--also-node24` before whatever vitest is to be told, a part of the tests is run a second time, under Node 24.
import { hasNode24, runTestsOnNode24 } from './node24.mjs';
import { build, install, runAside, scriptCommand } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const alsoNode24 = args[0] === '--also-node24';

const preparations = [
  ['install', install],
  ['build', build],
];

/** They write nothing that another reads, so they run side by side. */
const checks = [
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
  const passed = (await prepare()) === 0;
  (passed ? passedGates : failedGates).push(name);
  if (!passed) {
    break;
  }
}

const canTest = failedGates.length === 0;
if (canTest) {
  await Promise.all(checks.map(runCheck));
}
const runs = canTest ? await runAllTests() : [{ passed: 0, failed: 1 }];
const passed = runs.reduce((sum, tests) => sum + tests.passed, passedGates.length);
const failed = runs.reduce((sum, tests) => sum + tests.failed, failedGates.length);
if (failedGates.length > 0) {
  console.log(`\nFailed gates: ${failedGates.join(', ')}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runCheck([name, [file, ...args]]) {
  const { exitCode, output } = await runAside(file, args);
  console.log(`\n== ${name}\n${output.trimEnd()}`);
  (exitCode === 0 ? passedGates : failedGates).push(name);
}

async function runAllTests() {
  console.log('\n== tests');
  const tests = await runTests({ args: alsoNode24 ? args.slice(1) : args });
  if (!alsoNode24 || !hasNode24) {
    return [tests];
  }
  console.log('\n== tests on Node 24');
  return [tests, await runTestsOnNode24()];
}
