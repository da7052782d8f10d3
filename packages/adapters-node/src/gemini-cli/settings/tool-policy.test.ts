import { describe, expect, it } from 'vitest';
import { buildPolicy, chooseTools, coreTools } from './tool-policy.ts';

describe('chooseTools', () => {
  it.each([
    ['none', false, ['update_topic']],
    ['web-search', false, ['google_web_search']],
    ['everything', false, null],
    ['none', true, ['mcp_*']],
    ['web-search', true, ['google_web_search', 'mcp_*']],
  ] as const)('%s, with model tools: %s, allows %o', (tools, hasModelTools, allowed) => {
    expect(chooseTools(tools, hasModelTools)).toEqual(allowed);
  });
});

describe('buildPolicy', () => {
  it('PATTERN-02, PATTERN-03: denies everything, and allows the chosen tools above that', () => {
    expect(buildPolicy(['a', 'b'])).toBe(`[[rule]]
toolName = "*"
decision = "deny"
priority = 900
denyMessage = "Not available in this call."

[[rule]]
toolName = ["a","b"]
decision = "allow"
priority = 950
`);
  });
});

describe('coreTools', () => {
  it.each([
    [['update_topic'], null],
    [['google_web_search'], ['google_web_search']],
    [
      ['mcp_*', 'update_topic'],
      ['mcp_*', 'update_topic'],
    ],
  ])('%o is restated as %o', (tools, core) => {
    expect(coreTools(tools)).toEqual(core);
  });
});
