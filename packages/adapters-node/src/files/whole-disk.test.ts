import type { ContextBundle, ContextSelection } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../clock/system-clock.ts';
import { FileContextResolver } from './file-context-resolver.ts';

const clock = new SystemClock();

async function resolve(fields: Partial<ContextSelection>): Promise<{ bundle: ContextBundle; processorMs: number }> {
  const resolver = new FileContextResolver({ workingDirectory: '/', roots: [], allowSensitive: false, clock });
  const before = process.cpuUsage();
  const bundle = await resolver.resolve(
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
  const { user, system } = process.cpuUsage(before);
  return { bundle, processorMs: (user + system) / 1_000 };
}

// In processor time: the promise is for a machine that has time.
describe.runIf(process.platform === 'linux')('the whole disk as an explicit root', () => {
  it.each([
    ['a directory', { directories: ['/'] }],
    ['a pattern', { globPatterns: ['/**/no-such-name-anywhere'] }],
    ['both', { directories: ['/'], globPatterns: ['/**/no-such-name-anywhere'] }],
  ])('SWAP-06: stops within two seconds, named as %s, or comes to its end', async (_, fields) => {
    const { bundle, processorMs } = await resolve(fields);
    expect(processorMs).toBeLessThan(2_000);
    // A machine with few files is walked to its end, which is no early stop.
    expect(bundle.leftOut.filter(({ reason }) => reason === 'deadline')).toEqual([]);
  });
});
