import type { ContextBundle, ContextSelection } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../clock/system-clock.ts';
import { FileContextResolver } from './file-context-resolver.ts';

const clock = new SystemClock();

function resolve(fields: Partial<ContextSelection>): Promise<ContextBundle> {
  const resolver = new FileContextResolver({ workingDirectory: '/', roots: [], allowSensitive: false, clock });
  return resolver.resolve(
    {
      files: [],
      globPatterns: [],
      directories: [],
      maxFiles: 10,
      maxBytes: 100_000,
      deadlineAtMs: clock.now() + 60_000,
      ...fields,
    },
    new AbortController().signal,
  );
}

describe.runIf(process.platform === 'linux')('the whole disk as an explicit root', () => {
  it.each([
    ['a directory', { directories: ['/'] }],
    ['a pattern', { globPatterns: ['/**/no-such-name-anywhere'] }],
    ['both', { directories: ['/'], globPatterns: ['/**/no-such-name-anywhere'] }],
  ])('SWAP-06: is left before the deadline of the call, named as %s', async (_, fields) => {
    const { leftOut } = await resolve(fields);
    // A machine with few files is walked to its end, and no walk says that it stopped.
    expect(leftOut.filter(({ reason }) => reason === 'deadline')).toEqual([]);
  });
});
