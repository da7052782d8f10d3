import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StdioBridge, startStdioBridge } from './bridge/stdio-bridge.ts';
import { buildFixtureServer } from './fixtures/build-fixture-server.ts';
import { requiredScenarios } from './required-scenarios.ts';
import { type ConformanceResults, problemsOf, type Revision, runConformance } from './run-conformance.ts';

const revisions: readonly Revision[] = ['2025-11-25'];

let directory: string;
let bridge: StdioBridge | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fixture-server-'));
  const args = [await buildFixtureServer(directory)];
  bridge = await startStdioBridge({ command: process.execPath, args, env: {} });
});

afterAll(async () => {
  await bridge?.close();
  await rm(directory, { recursive: true, force: true });
});

describe.each(revisions)('the official suite for %s over stdio', (revision) => {
  const required = requiredScenarios[revision];
  let results: ConformanceResults;

  beforeAll(async () => {
    results = await runConformance({ url: bridge?.url ?? '', revision }, AbortSignal.timeout(160_000));
  }, 180_000);

  it('has these scenarios', () => {
    expect([...results.keys()]).toEqual(Object.keys(required).sort());
  });

  it.each(Object.keys(required).filter((name) => required[name] === 'passes'))('%s passes', (scenario) => {
    expect(problemsOf(results, [scenario])).toEqual({});
  });
});
