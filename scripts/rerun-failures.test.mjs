// A test that fails only at first passes when it runs again, and nothing else that fails does.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let directory = '';
let log = '';

/** Throws in the first run alone: in the second, the file is there. */
const failAtFirst = `
import { existsSync, writeFileSync } from 'node:fs';
export function failAtFirst(name, message) {
  const path = new URL(name, import.meta.url);
  if (!existsSync(path)) {
    writeFileSync(path, '');
    throw new Error(message);
  }
}
`;

const seeding = fileURLToPath(import.meta.resolve('./seed-properties.mjs'));

const tests = {
  'fail-at-first.mjs': failAtFirst,
  'vitest.config.mjs': `
const setupFiles = process.env.GEMINI_MCP_PROPERTY_SEED === undefined ? [] : ['${seeding}'];
export default { test: { globals: true, setupFiles } };
`,
  'tests.test.mjs': `
import { failAtFirst } from './fail-at-first.mjs';
it('passes', () => {});
describe('of the same suite', () => {
  it('passes alone (a|b)* \\0 \\u001b[31m', () => failAtFirst('test', 'too slow\\nby far'));
  it('passes alone (a|b)* and more', () => { throw new Error('fails again'); });
});
`,
  'hook.test.mjs': `
import { failAtFirst } from './fail-at-first.mjs';
beforeAll(() => failAtFirst('hook', 'the hook was too slow'));
it('waits for the hook', () => {});
it('waits for it too', () => {});
`,
  'broken.test.mjs': "import './missing.mjs';",
  'unhandled.test.mjs': "it('leaves a promise alone', () => { Promise.reject(new Error('unhandled')); });",
};

const program = `
import { describeOutcome } from '${import.meta.resolve('./describe-outcome.mjs')}';
import { rerunFailures } from '${import.meta.resolve('./rerun-failures.mjs')}';
import { runTests } from '${import.meta.resolve('./run-tests.mjs')}';
const [directory, ...args] = process.argv.slice(1);
const options = ['--root=' + directory, '--config=' + directory + '/vitest.config.mjs'];
const outcome = await rerunFailures([await runTests({ stage: 'this Node', options, args })]);
console.log('\\nEND\\n' + describeOutcome({ passedGates: ['install'], tests: outcome }));
`;

/** The end of the log of a run with these filters. */
function runTests(...filters) {
  const args = ['--input-type=module', '-e', program, directory, ...filters];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.split('\nEND\n')[1].trimEnd();
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-reruns-'));
  for (const [name, text] of Object.entries(tests)) {
    writeFileSync(join(directory, name), text);
  }
  log = runTests();
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('failed tests that run again', () => {
  it('count as passed if they pass alone, and the log names them with their first error', () => {
    const flaky = log.slice(log.indexOf('Failed at first'), log.indexOf('\nFailed:'));

    expect(flaky).toContain(
      'tests.test.mjs > of the same suite passes alone (a|b)* \\u0000 \\u001b[31m\n      too slow\n      by far\n',
    );
    expect(flaky).toContain('hook.test.mjs\n      the hook was too slow\n');
    expect(flaky.match(/ {2}- on this Node: /g)).toHaveLength(2);
  });

  it('stay failed if they fail again, whatever passed in the same file', () => {
    const failed = log.slice(log.indexOf('\nFailed:'));

    expect(failed).toContain('tests.test.mjs > of the same suite passes alone (a|b)* and more\n      fails again\n');
    expect(failed).toMatch(/broken\.test\.mjs\n {6}Cannot find module/);
    expect(failed).not.toContain('too slow');
  });

  it('do not clear errors outside of tests', () => {
    expect(log).toContain('- on this Node: outside of any test\n      unhandled\n');
  });

  it('are in the last line with the tests that their hook had stopped, and with the gates', () => {
    // The gate, two tests of the first file, two of the hook's, and the one with the promise.
    expect(log.split('\n').at(-1)).toBe('6 passed, 3 failed');
  });

  it('stay failed if they are properties that hold for most values only', () => {
    const property = `
import fc from '${import.meta.resolve('fast-check')}';
it('holds for every integer', () => {
  const rare = new URL('rare', import.meta.url);
  // Without a seed of its own the second run has other values, as it has in the tests of this repository.
  const isRare = existsSync(rare) ? (value) => value === Number(readFileSync(rare, 'utf8')) : () => true;
  fc.assert(fc.property(fc.integer(), (value) => {
    if (isRare(value)) {
      writeFileSync(rare, String(value));
      return false;
    }
  }), { endOnFailure: true });
});`;
    writeFileSync(
      join(directory, 'property.test.mjs'),
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs';${property}`,
    );

    const end = runTests('property');

    expect(end).not.toContain('Failed at first');
    expect(end.split('\n').at(-1)).toBe('1 passed, 1 failed');
  });

  it('do not run if more than ten failed', () => {
    writeFileSync(
      join(directory, 'many.test.mjs'),
      `
import { failAtFirst } from './fail-at-first.mjs';
it.each(Array.from({ length: 11 }, (_, index) => index))('fails at first %i', (index) => failAtFirst('many' + index, 'no'));
`,
    );

    const end = runTests('many');

    expect(end).not.toContain('Failed at first');
    expect(end.split('\n').at(-1)).toBe('1 passed, 11 failed');
  });

  it('are none where no test was found, and that is a failure', () => {
    const end = runTests('no-such-file');

    expect(end).toContain('outside of any test\n');
    expect(end.split('\n').at(-1)).toBe('1 passed, 1 failed');
  });
});
