import { describe, expect, it } from 'vitest';
import { checkWarm } from './check-gemini.ts';

describe('checkWarm', () => {
  it.each(['auto', 'warm'] as const)('%s: says how long a start took', (runner) => {
    expect(checkWarm(runner, { durationMs: 1_440, problem: null })).toEqual({
      name: 'Warm process',
      status: 'ok',
      found: 'ready in 1.4 s',
      fix: null,
    });
  });

  it('where calls can do without, a CLI that cannot be kept running is a warning', () => {
    expect(checkWarm('auto', { durationMs: 800, problem: 'Unknown argument: acp' })).toEqual({
      name: 'Warm process',
      status: 'warn',
      found: 'the CLI cannot stay running between calls: Unknown argument: acp',
      fix: expect.stringContaining('GEMINI_MCP_RUNNER=headless'),
    });
  });

  it('where calls cannot, it is a failure', () => {
    expect(checkWarm('warm', { durationMs: 800, problem: 'it did not answer' })).toEqual({
      name: 'Warm process',
      status: 'fail',
      found: 'the CLI cannot stay running between calls: it did not answer',
      fix: expect.stringMatching(/Update the CLI with `npm install .*`, or set GEMINI_MCP_RUNNER/),
    });
  });
});
