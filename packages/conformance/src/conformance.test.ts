import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildFixtureServer } from './build-fixture-server.ts';
import { type ConformanceResults, failuresOf, runConformance } from './run-conformance.ts';
import { type StdioBridge, startStdioBridge } from './stdio-bridge.ts';

let directory: string;
let bridge: StdioBridge | undefined;
let results: ConformanceResults;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fixture-server-'));
  const args = [await buildFixtureServer(directory)];
  bridge = await startStdioBridge({ command: process.execPath, args, env: {} });
  results = await runConformance({ url: bridge.url }, AbortSignal.timeout(160_000));
}, 180_000);

afterAll(async () => {
  await bridge?.close();
  await rm(directory, { recursive: true, force: true });
});

/** All that is active in the pinned version: one that goes missing is to be noticed. */
const scenarios: readonly string[] = [
  'completion-complete',
  'dns-rebinding-protection',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'logging-set-level',
  'ping',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'prompts-list',
  'resources-list',
  'resources-read-binary',
  'resources-read-text',
  'resources-subscribe',
  'resources-templates-read',
  'resources-unsubscribe',
  'server-initialize',
  'server-sse-multiple-streams',
  'tools-call-audio',
  'tools-call-elicitation',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-sampling',
  'tools-call-simple-text',
  'tools-call-with-logging',
  'tools-call-with-progress',
  'tools-list',
];

it('the official suite has these scenarios', () => {
  expect([...results.keys()]).toEqual(scenarios);
});

it.each(scenarios)('%s passes over stdio', (scenario) => {
  const checks = results.get(scenario) ?? [];
  expect(failuresOf(checks)).toEqual([]);
  expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true);
});
