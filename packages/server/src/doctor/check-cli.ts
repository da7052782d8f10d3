import type { GeminiCli, GeminiCliLocation } from '@gemini-mcp/adapters-node';
import { describePathFault } from '@gemini-mcp/adapters-node/internal';
import { failureAdvice } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';
import { isOlder, parseVersion } from './parse-version.ts';

const oldestTested: readonly number[] = [0, 55, 1];
const newestTested: readonly number[] = [0, 61];
const testedRange = '0.55.1 to 0.61';

const name = 'Gemini CLI';

/** Whether there is a Gemini CLI, whether this server was tested with it, and whether another user could change it. */
export function checkCli(location: GeminiCliLocation | null): readonly Check[] {
  if (location === null) {
    return [{ name, status: 'fail', found: 'looking for it was interrupted', fix: 'Run the doctor again.' }];
  }
  if (!location.found) {
    const kind = location.isShortage === true ? 'resources-exhausted' : 'cli-missing';
    const fix = failureAdvice({ kind, detail: location.detail }, 'query', serverFailureWords);
    return [{ name, status: 'fail', found: location.detail, fix, lookedIn: location.lookedIn }];
  }
  return [checkVersion(location), ...checkPlace(location)];
}

const ways: Readonly<Record<GeminiCli['foundBy'], string>> = {
  GEMINI_MCP_CLI: 'found by GEMINI_MCP_CLI',
  PATH: 'found by PATH',
  node: 'found next to the Node that runs the server',
  'usual-place': 'found in a usual place that is not on PATH',
  npx: 'found by npx',
};

function checkPlace({
  cli,
  passedOver,
  fault,
}: Extract<GeminiCliLocation, { readonly found: true }>): readonly Check[] {
  const ofPath = passedOver.map(
    (each): Check => ({
      name: 'Passed over',
      status: 'warn',
      found: `${escapeName(each.path)} comes first and is not run. ${describePathFault(each.fault)}`,
      fix: `Nothing, if ${escapeName(cli.path)} is the one to run. Otherwise set GEMINI_MCP_CLI to the absolute path of yours.`,
    }),
  );
  if (fault === null) {
    return ofPath;
  }
  const found = `${describePathFault(fault)} It is run all the same, because GEMINI_MCP_CLI names it.`;
  const fix =
    'Install the Gemini CLI where you alone may write, or be sure of all who can change it: it gets your login.';
  return [...ofPath, { name: 'Place of the CLI', status: 'warn', found, fix }];
}

function checkVersion(location: Extract<GeminiCliLocation, { readonly found: true }>): Check {
  const { path, version, foundBy } = location.cli;
  const where = `at ${path} (${ways[foundBy]})`;
  const numbers = version === null ? null : parseVersion(version);
  if (numbers === null) {
    const found = `of an unknown version ${where}`;
    return { name, status: 'warn', found, fix: `Use the package @google/gemini-cli, ${testedRange}.` };
  }
  if (isOlder(numbers, oldestTested)) {
    const found = `${version} ${where} is older than what was tested (${testedRange})`;
    return {
      name,
      status: 'warn',
      found,
      fix: failureAdvice({ kind: 'cli-outdated', excerpt: '' }, 'query', serverFailureWords),
    };
  }
  if (isOlder(newestTested, numbers.slice(0, 2))) {
    const found = `${version} ${where} is newer than what was tested (${testedRange})`;
    const fix = 'Nothing, as long as calls succeed. If they fail: `npm install -g @google/gemini-cli@0.61`.';
    return { name, status: 'warn', found, fix };
  }
  return { name, status: 'ok', found: `${version} ${where}`, fix: null };
}
