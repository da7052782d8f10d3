import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CliGeminiRunner,
  createKeyedBoundary,
  FileContextResolver,
  SystemClock,
  WarmGeminiRunner,
} from '@gemini-mcp/adapters-node';
import { AskGemini, type AskRequest } from '@gemini-mcp/core';
import { createFakeGeminiCli } from '@gemini-mcp/fake-gemini';

// Asks about a directory, once for each round after one to warm up, and says how long the event loop stood still meanwhile.
const [directory = '.', home = '.', rounds = '5', kind = 'warm'] = process.argv.slice(2);
const nanosecondsPerMs = 1_000_000;

const clock = new SystemClock();
const cliPath = await createFakeGeminiCli({ directory: join(home, 'cli') });
const runnerOptions = {
  clock,
  environment: { PATH: process.env['PATH'], HOME: home, GEMINI_API_KEY: 'none', GEMINI_MCP_CLI: cliPath },
  runsDirectory: join(home, 'runs'),
  userDirectory: join(home, '.gemini'),
};
const warm = kind === 'warm' ? new WarmGeminiRunner(runnerOptions) : null;
const askGemini = new AskGemini({
  clock,
  resolver: new FileContextResolver({ workingDirectory: directory, roots: [], allowSensitive: false, clock }),
  runner: warm ?? new CliGeminiRunner(runnerOptions),
  modelChain: ['gemini-3.1-pro-preview'],
  random: Math.random,
  boundaryOf: createKeyedBoundary(),
});

const request: AskRequest = {
  prompt: 'What is this about?',
  files: [],
  globPatterns: [],
  directories: ['.'],
  model: null,
  timeoutMs: 60_000,
  maxFiles: 10_000,
  maxBytes: 10_000_000,
};

async function ask(): Promise<number> {
  const startedAt = performance.now();
  const result = await askGemini.ask(request, () => undefined, new AbortController().signal);
  if (!result.ok) {
    throw new Error(`No answer: ${JSON.stringify(result.failed.failure).slice(0, 500)}`);
  }
  return performance.now() - startedAt;
}

const warmUpMs = await ask();
const histogram = monitorEventLoopDelay({ resolution: 1 });

async function measure(work: () => Promise<unknown>): Promise<{ readonly p99Ms: number; readonly maxMs: number }> {
  histogram.reset();
  histogram.enable();
  await work();
  histogram.disable();
  return { p99Ms: histogram.percentile(99) / nanosecondsPerMs, maxMs: histogram.max / nanosecondsPerMs };
}

const readings: unknown[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  readings.push({ idle: await measure(() => sleep(warmUpMs)), asking: await measure(ask) });
}
console.log(JSON.stringify(readings));
await warm?.close();
