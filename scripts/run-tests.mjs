// Runs the tests with vitest, and reports passes and failures.
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run-step.mjs';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('failure-reporter.mjs', import.meta.url));

/**
 * Runs vitest once. `stage` names the run in the report of its failures; `node` is the program that runs the tests; `user` is the
 * `{ uid, gid }` of another account to run them as; `args` are filters and options of vitest. In the result, `files` has the
 * count of passed tests, the failures and the seconds of each file, and `faults` the failures outside of files: unhandled
 * errors, a crash, a run without tests.
 */
export async function runTests({
  stage = null,
  node = process.execPath,
  environment = {},
  user = null,
  args = [],
} = {}) {
  const startMs = performance.now();
  const directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-tests-'));
  const report = join(directory, 'report.json');
  try {
    if (user !== null) {
      await chown(directory, user.uid, user.gid);
    }
    const variables = { ...environment, GEMINI_MCP_TEST_REPORT: report };
    const reporters = ['--reporter=default', `--reporter=${reporter}`];
    const exitCode = await run(node, [vitest, 'run', ...reporters, ...args], variables, user ?? {});
    const { files, faults } = await readReport(report);
    const isExplained = exitCode === 0 || faults.length > 0 || files.some(({ failures }) => failures.length > 0);
    const unexplained = { message: `vitest ended with exit code ${exitCode}, and no test failed.`, place: null };
    const seconds = (performance.now() - startMs) / 1_000;
    return { stage, seconds, files, faults: isExplained ? faults : [unexplained] };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Vitest writes no report when it crashes, or finds no tests. */
async function readReport(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return { files: [], faults: [{ message: 'vitest wrote no report.', place: null }] };
  }
}
