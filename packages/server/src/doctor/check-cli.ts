import type { GeminiCliLocation } from '@gemini-mcp/adapters-node';
import { failureAdvice } from '@gemini-mcp/core';
import type { Check } from './check.ts';
import { isOlder, parseVersion } from './parse-version.ts';

const oldestTested: readonly number[] = [0, 55, 1];
const newestTested: readonly number[] = [0, 61];
const testedRange = '0.55.1 to 0.61';

const name = 'Gemini CLI';

/** Whether there is a Gemini CLI, and one that this server was tested with. */
export function checkCli(location: GeminiCliLocation): Check {
  if (!location.found) {
    const fix = failureAdvice({ kind: 'cli-missing', detail: location.detail });
    return { name, status: 'fail', found: location.detail, fix };
  }
  const { path, version, foundBy } = location.cli;
  const where = `at ${path} (found by ${foundBy})`;
  const numbers = version === null ? null : parseVersion(version);
  if (numbers === null) {
    const found = `of an unknown version ${where}`;
    return { name, status: 'warn', found, fix: `Use the package @google/gemini-cli, ${testedRange}.` };
  }
  if (isOlder(numbers, oldestTested)) {
    const found = `${version} ${where} is older than what was tested (${testedRange})`;
    return { name, status: 'warn', found, fix: failureAdvice({ kind: 'cli-outdated', excerpt: '' }) };
  }
  if (isOlder(newestTested, numbers.slice(0, 2))) {
    const found = `${version} ${where} is newer than what was tested (${testedRange})`;
    const fix = 'Nothing, as long as calls succeed. If they fail: `npm install -g @google/gemini-cli@0.61`.';
    return { name, status: 'warn', found, fix };
  }
  return { name, status: 'ok', found: `${version} ${where}`, fix: null };
}
