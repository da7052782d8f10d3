// Runs the tests with vitest and counts them.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run-step.mjs';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/**
 * Counts what vitest ran; a run that ends badly without a failed test (an unhandled error, a crash) counts as one. `node` is
 * the program that runs the tests, `args` are filters and options of vitest.
 */
export async function runTests({ node = process.execPath, environment = {}, args = [] } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-tests-'));
  const report = join(directory, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const exitCode = await run(node, [vitest, 'run', ...reporters, ...args], environment);
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'));
    return { passed: numPassedTests, failed: exitCode !== 0 && numFailedTests === 0 ? 1 : numFailedTests };
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
