import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StdioBridge, startStdioBridge } from './bridge/stdio-bridge.ts';
import { buildFixtureServer } from './fixtures/build-fixture-server.ts';
import { leftOutChecks, requiredScenarios } from './required-scenarios.ts';
import { type ConformanceResults, problemsOf, type Revision, runConformance } from './run-conformance.ts';

const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/** Checks of the headers and statuses of HTTP, which are the bridge's own over stdio. */
const httpScenarios: readonly string[] = ['http-header-validation', 'tasks-request-headers'];
const httpChecks: readonly string[] = [
  'sep-2575-http-server-header-mismatch-400',
  'sep-2575-http-server-meta-invalid-400',
];

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

  const overStdio = (name: string): boolean => required[name] === 'passes' && !httpScenarios.includes(name);

  it.each(Object.keys(required).filter(overStdio))('%s passes', (scenario) => {
    expect(problemsOf(results, [scenario], [...httpChecks, ...leftOutChecks])).toEqual({});
  });
});
