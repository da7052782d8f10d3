import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRequest } from '@gemini-mcp/core';
import { type CliStep, cliAnswer, cliOpening, createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
import { CliGeminiRunner } from './cli-gemini-runner.ts';
import type { RunReport } from './cli-transport.ts';

const clock = new SystemClock();
let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'run-report-')));
});

afterEach(() => rm(root, { recursive: true }));

async function runnerTelling(steps: readonly CliStep[], reports: RunReport[]): Promise<CliGeminiRunner> {
  const cli = await createFakeGeminiCli({ directory: join(root, 'cli'), scenario: { runs: [steps] } });
  return new CliGeminiRunner({
    clock,
    environment: { PATH: '/usr/bin:/bin', HOME: root, GEMINI_MCP_CLI: cli },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
    onRun: (report) => reports.push(report),
  });
}

const request = (): RunRequest => ({ model: 'gemini-2.5-pro', input: 'Why?', deadlineAtMs: clock.now() + 20_000 });

it('a run is reported when it starts, as its text comes, and when it has ended', async () => {
  const reports: RunReport[] = [];
  const runner = await runnerTelling(cliAnswer(['Be', 'cause.']), reports);
  for await (const _ of runner.run(request(), new AbortController().signal)) {
    // Only the reports besides the events matter here.
  }
  expect(reports.map(({ type }) => type)).toEqual(['started', 'text', 'text', 'ended']);
  expect(new Set(reports.map(({ runId }) => runId)).size).toBe(1);
  expect(reports[0]).toMatchObject({ model: 'gemini-2.5-pro', input: 'Why?', environment: { NO_COLOR: '1' } });
  expect(reports.at(-1)).toMatchObject({ end: { type: 'answer' }, outcome: { termination: 'exited', exitCode: null } });
});

it('a run without a listener has an end all the same', async () => {
  const reports: RunReport[] = [];
  const runner = await runnerTelling([...cliOpening(), { do: 'text', chunks: ['so far'] }, { do: 'hang' }], reports);
  for await (const _ of runner.run(request(), new AbortController().signal)) {
    break;
  }
  expect(reports.at(-1)).toMatchObject({
    type: 'ended',
    end: { failure: { kind: 'cancelled' } },
    outcome: { termination: 'cancelled' },
  });
});
