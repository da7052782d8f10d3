import type { ContextBundle, ContextSelection } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
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
  it('SWAP-06: ends before the deadline of the call, named as a directory and by a pattern', async () => {
    const { leftOut } = await resolve({ directories: ['/'], globPatterns: ['/**/no-such-name-anywhere'] });
    // A machine with few files is walked to its end, and no walk reports that it stopped.
    expect(leftOut.filter(({ reason }) => reason === 'deadline')).toEqual([]);
  });
});
