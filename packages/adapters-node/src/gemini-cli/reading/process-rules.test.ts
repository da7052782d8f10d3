import type { GeminiFailure } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { classifyOutcome } from './classify-outcome.ts';
import type { CliOutcome } from './cli-outcome.ts';

const ended: CliOutcome = {
  termination: 'exited',
  exitCode: 1,
  signal: null,
  completion: 'missing',
  sawEvents: true,
  answered: false,
  httpStatus: null,
  messages: [],
  stderr: '',
  strayOutput: '',
};

describe('a run without a known message', () => {
  it.each<[string, Partial<CliOutcome>, GeminiFailure['kind']]>([
    ['exit code 128', { exitCode: 128 }, 'unknown'],
    ['exit code 129, the first of a signal', { exitCode: 129 }, 'crashed'],
    ['exit code 192, the last of a signal', { exitCode: 192 }, 'crashed'],
    ['exit code 193', { exitCode: 193 }, 'unknown'],
    ['a signal that came after the end of the stream', { signal: 'SIGKILL', completion: 'error' }, 'crashed'],
    ['exit code 1, and a stream without its end', {}, 'unknown'],
    ['exit code 0, and an error without words', { exitCode: 0, completion: 'error' }, 'unknown'],
    ['exit code 0, and empty lines', { exitCode: 0, sawEvents: false, strayOutput: '\n \n' }, 'empty-answer'],
    ['exit code 1, and no events', { sawEvents: false }, 'unknown'],
  ])('%s', (_, known, kind) => {
    expect(classifyOutcome({ ...ended, ...known })?.kind).toBe(kind);
  });

  it('shows the unknown flag, and not the whole usage text', () => {
    const stderr = `Unknown arguments: policy, p\nUsage: gemini [options]\n${'-x '.repeat(300)}`;
    expect(classifyOutcome({ ...ended, sawEvents: false, stderr })).toEqual({
      kind: 'cli-outdated',
      excerpt: 'Unknown arguments: policy, p',
      saidBy: 'the Gemini CLI',
    });
  });
});
