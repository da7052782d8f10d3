import { describe, expect, it } from 'vitest';
import { denyOtherArguments } from './deny-other-arguments.ts';
import { buildPolicy, chooseTools, coreTools } from './tool-policy.ts';

const inCopy = { hasDirectory: true, isOriginal: false };
const nowhere = { hasDirectory: false, isOriginal: false };

describe('chooseTools', () => {
  it.each([
    ['none', nowhere, ['update_topic']],
    ['none', inCopy, ['update_topic']],
    ['web-search', inCopy, ['google_web_search']],
    ['read-only', inCopy, ['list_directory', 'read_file', 'glob', 'grep_search', 'update_topic']],
    ['read-only', { hasDirectory: true, isOriginal: true }, ['list_directory', 'read_file', 'glob', 'update_topic']],
    ['read-only', nowhere, ['update_topic']],
    ['everything', nowhere, null],
    ['none', { ...nowhere, lends: true }, ['mcp_*']],
    ['web-search', { ...nowhere, lends: true }, ['google_web_search', 'mcp_*']],
  ] as const)('%s with %o allows %o', (tools, place, allowed) => {
    expect(chooseTools({ tools, ...place })).toEqual(allowed);
  });
});

describe('buildPolicy', () => {
  it('denies everything, and allows what was chosen above that', () => {
    expect(buildPolicy(['a', 'b'])).toBe(`[[rule]]
toolName = "*"
decision = "deny"
priority = 900
denyMessage = "Not available in this call."

[[rule]]
toolName = ["a","b"]
decision = "allow"
priority = 950

${denyOtherArguments}`);
  });
});

describe('coreTools', () => {
  it.each([
    [['update_topic'], null],
    [['google_web_search'], ['google_web_search']],
    [
      ['read_file', 'update_topic'],
      ['read_file', 'update_topic'],
    ],
  ])('%o is restated as %o', (tools, core) => {
    expect(coreTools(tools)).toEqual(core);
  });
});
