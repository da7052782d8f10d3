import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryRecordStore } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Readiness, type ReadinessChecksOptions, readinessChecks } from './readiness.ts';
import { Drain } from './shut-down.ts';

let stateDirectory: string;

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'readiness-'));
});

afterEach(() => rm(stateDirectory, { recursive: true }));

type Given = Pick<ReadinessChecksOptions, 'finder' | 'hasApiLogin'> & Partial<ReadinessChecksOptions>;

async function failedOf(given: Given): Promise<readonly string[]> {
  const checks = readinessChecks({ sharedRecords: null, stateDirectory, ...given });
  const readiness = new Readiness({ checks, drain: new Drain(), clock: new FakeClock() });
  const watching = new AbortController();
  const watch = readiness.watch(watching.signal);
  await expect.poll(() => readiness.failed).not.toEqual(['starting']);
  watching.abort();
  await watch;
  return readiness.failed;
}

const missing = { found: false, detail: '', passedOver: [], lookedIn: [] } as const;

function finderOf(hasLogin: boolean): NonNullable<ReadinessChecksOptions['finder']> {
  const location = hasLogin ? missing : ({ ...missing, lacksLogin: true } as const);
  return { find: async () => location, hasLogin: async () => hasLogin };
}

it.each([
  ['an API key', { hasApiLogin: true, finder: finderOf(false) }, []],
  ['no login at all', { hasApiLogin: false, finder: finderOf(false) }, ['login']],
  ['no login, and calls that may not use the CLI', { hasApiLogin: false, finder: null }, ['login']],
  ['a shared store', { hasApiLogin: true, finder: null, sharedRecords: new InMemoryRecordStore() }, []],
  [
    'a shared store that is away',
    { hasApiLogin: true, finder: null, sharedRecords: { owners: () => Promise.reject(new Error('away')) } },
    ['shared-store'],
  ],
  ['a login of the CLI, which is not there', { hasApiLogin: false, finder: finderOf(true) }, ['gemini-cli']],
])('with %s', async (_, given, failed) => {
  expect(await failedOf(given)).toEqual(failed);
});
