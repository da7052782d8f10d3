// `npm test`: every gate and every test. Ends with the line `N passed, N failed`, in which a gate counts as one.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, run, runScript } from './run-step.mjs';

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
const tests = canTest ? await runTests() : { passed: 0, failed: 1 };
const failed = failedGates.length + tests.failed;
if (failedGates.length > 0) {
  console.log(`\nFailed gates: ${failedGates.join(', ')}`);
}
console.log(`\n${passedGates.length + tests.passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Counts what vitest ran; a run that ends badly without a failed test (an unhandled error, a crash) counts as one. */
async function runTests() {
  console.log('\n== tests');
  const directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-tests-'));
  const report = join(directory, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const exitCode = await runScript('vitest', [...reporters, ...process.argv.slice(2)]);
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'));
    return { passed: numPassedTests, failed: exitCode !== 0 && numFailedTests === 0 ? 1 : numFailedTests };
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
