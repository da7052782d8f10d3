// The log of a run ends with the times, everything that failed, and the line that counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const tests = {
  'vitest.config.mjs': 'export default { test: { globals: true } };',
  'tests.test.mjs': `
it('passes', () => {});
it('fails \\0 \\u001b[31m', () => { throw new Error('too slow\\nby far'); });
`,
  'hook.test.mjs': `
beforeAll(() => { throw new Error('the hook was too slow'); });
it('waits for the hook', () => {});
`,
  'broken.test.mjs': "import './missing.mjs';",
  'unhandled.test.mjs': "it('leaves a promise alone', () => { Promise.reject(new Error('unhandled')); });",
};

const program = `
import { reportOutcome } from '${import.meta.resolve('./describe-outcome.mjs')}';
import { runTests } from '${import.meta.resolve('./run-tests.mjs')}';
const [directory, ...filters] = process.argv.slice(1);
const args = ['--root=' + directory, '--config=' + directory + '/vitest.config.mjs', ...filters];
const gates = [{ name: 'install', seconds: 485, passed: true, output: '' }, { name: 'lint', seconds: 2, passed: false, output: 'a\\nlong line' }];
process.exit(reportOutcome({ gates, runs: [await runTests({ stage: 'this Node', args })] }));
`;

let directory = '';

/** Runs the tests with these filters; gives the exit code and the end of the log. */
function runTests(...filters) {
  const args = ['--input-type=module', '-e', program, directory, ...filters];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, end: stdout.slice(stdout.lastIndexOf('Times:')).trimEnd() };
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-outcome-'));
  for (const [name, text] of Object.entries(tests)) {
    writeFileSync(join(directory, name), text);
  }
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('reports the durations of gates and tests, and every failure with lines of its first error', () => {
  const { status, end } = runTests();

  expect(end).toMatch(/^Times:\n {2}8:05 install\n {2}0:02 lint\n {2}\d:\d\d tests \(this Node\)\n/);
  expect(end).toContain('  - gate: lint\n      a\n      long line\n');
  expect(end).toContain('tests.test.mjs > fails \\u0000 \\u001b[31m\n      too slow\n      by far\n');
  expect(end).toContain('hook.test.mjs\n      the hook was too slow\n');
  expect(end).toMatch(/broken\.test\.mjs\n {6}Cannot find module/);
  expect(end).toContain('- on this Node: outside of any test\n      unhandled\n');
  // One gate, and the tests of the first file and of the last.
  expect(end.split('\n').at(-1)).toBe('3 passed, 5 failed');
  expect(status).toBe(1);
});

it('a run that finds no test has failed', () => {
  const { end } = runTests('no-such-file');

  expect(end).toContain('outside of any test\n');
  expect(end.split('\n').at(-1)).toBe('1 passed, 2 failed');
});
