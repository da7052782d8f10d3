// Runs the tests with vitest, and tells which passed and which failed.
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run-step.mjs';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('failure-reporter.mjs', import.meta.url));

/**
 * Runs vitest once. `node` is the program that runs the tests; `user` is the `{ uid, gid }` of another account to run them as; `options` are options of vitest that a second run of the same
 * tests needs too, `args` are filters and options of this run alone. In the result, `files` has the titles that passed and the
 * failures of each file, and `faults` the failures outside of files: unhandled errors, a crash, a run without tests.
 */
export async function runTests({
  stage = null,
  node = process.execPath,
  environment = {},
  user = null,
  options = [],
  args = [],
} = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-tests-'));
  const report = join(directory, 'report.json');
  try {
    if (user !== null) {
      await chown(directory, user.uid, user.gid);
    }
    const variables = { ...environment, GEMINI_MCP_TEST_REPORT: report };
    const reporters = ['--reporter=default', `--reporter=${reporter}`];
    const exitCode = await run(node, [vitest, 'run', ...reporters, ...options, ...args], variables, user ?? {});
    const { files, faults } = await readReport(report);
    const isExplained = exitCode === 0 || faults.length > 0 || files.some(({ failures }) => failures.length > 0);
    const unexplained = { message: `vitest ended with exit code ${exitCode}, and no test failed.`, place: null };
    return { stage, node, environment, user, options, files, faults: isExplained ? faults : [unexplained] };
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
