import { describe, expect, it } from 'vitest';
import type { CliOutcome } from './cli-outcome.ts';
import { excerptOf, parseRetryAfterMs } from './evidence.ts';

const silent: CliOutcome = {
  termination: 'exited',
  exitCode: 1,
  signal: null,
  completion: 'missing',
  sawEvents: false,
  answered: false,
  httpStatus: null,
  messages: [],
  stderr: '',
  strayOutput: '',
};

describe('excerptOf', () => {
  it.each([
    ['nothing', {}, ''],
    ['events before stderr', { messages: [' first', 'second\n'], stderr: 'third' }, 'first\nsecond'],
    ['stderr before stdout', { stderr: 'first\n', strayOutput: 'second' }, 'first'],
    ['stdout in the end', { stderr: ' \n', strayOutput: ' first\n' }, 'first'],
    [
      'stderr without stack frames and repeated lines',
      {
        stderr:
          'Ripgrep is not available. Falling back to GrepTool.\n[STARTUP] Cannot measure phase x\nError: no luck\n    at run (file.js:1:2)\n    at async main (file.js:3:4)\nBye\n',
      },
      'Error: no luck\nBye',
    ],
    [
      'stdout where stderr holds nothing else',
      { stderr: 'Ripgrep is not available. Falling back to GrepTool.\n', strayOutput: 'garbage' },
      'garbage',
    ],
    ['the beginning of long events', { messages: [`${'a'.repeat(499)}bc`] }, `${'a'.repeat(499)}b`],
    ['the end of a long stderr', { stderr: `ab${'c'.repeat(499)}` }, `b${'c'.repeat(499)}`],
    ['the beginning of a long stdout', { strayOutput: `${'a'.repeat(499)}bc` }, `${'a'.repeat(499)}b`],
  ])('takes %s', (_, known, excerpt) => {
    expect(excerptOf({ ...silent, ...known })).toBe(excerpt);
  });
});

describe('parseRetryAfterMs', () => {
  it.each([
    ['Suggested retry after 2s.', 2_000],
    ['Please retry in 41.2s.', 41_200],
    ['Please retry in 0.0004s.', 1],
    ['Please retry in 250ms.', 250],
    ['Your quota will reset after 5s.', 5_000],
    ['Your quota will reset after 8h44m7s.', null],
    ['Please retry in a while.', null],
    ['Please retry in 5 seconds', null],
    ['', null],
  ])('reads %j', (text, retryAfterMs) => {
    expect(parseRetryAfterMs(text)).toBe(retryAfterMs);
  });
});
