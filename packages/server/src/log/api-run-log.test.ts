import type { ApiRunReport } from '@gemini-mcp/adapters-api';
import { expect, it } from 'vitest';
import type { LogLevel } from '../settings/server-settings.ts';
import { createEarlyLog } from './early-log.ts';
import { createApiRunLog } from './run-log.ts';

const run = { runId: 'run-1', model: 'gemini-4-carbon' } as const;
const key = 'AIza-key-of-this-run-alone-0123456789abc';

const reports: readonly ApiRunReport[] = [
  { type: 'started', ...run, login: 'gemini-key', secrets: [key], input: `What is ${key}?` },
  { type: 'text', runId: run.runId, text: `It is ${key.slice(0, 9)}` },
  { type: 'text', runId: run.runId, text: `${key.slice(9)}.` },
  { type: 'ended', ...run, durationMs: 12, end: { type: 'answer', ending: { type: 'complete' } } },
];

function logged(level: LogLevel, told: readonly ApiRunReport[]): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const runLog = createApiRunLog(createEarlyLog({ level, redact: (text) => text, stream }));
  for (const report of told) {
    runLog(report);
  }
  return lines.map((line) => JSON.parse(line));
}

it('writes at info that a run started and ended, with the backend and the kind of login', () => {
  expect(logged('info', reports)).toMatchObject([
    { event: 'run-started', ...run, backend: 'api', login: 'gemini-key', inputCharacters: `What is ${key}?`.length },
    { event: 'run-ended', ...run, durationMs: 12, outcome: 'answered' },
  ]);
});

it('writes texts at trace alone, without the key, also where that came in two pieces', () => {
  const lines = logged('trace', reports);
  expect(lines.map(({ event }) => event)).toEqual(['run-started', 'run-input', 'run-text', 'run-ended']);
  expect(JSON.stringify(lines)).not.toContain(key);
  expect(lines[2]).toMatchObject({ text: 'It is [redacted].' });
});

it('names the kind of a failure', () => {
  const end = { type: 'failure', failure: { kind: 'network', excerpt: key } } as const;
  const lines = logged('info', [...reports.slice(0, 1), { type: 'ended', ...run, durationMs: 1, end }]);
  expect(lines[1]).toMatchObject({ event: 'run-ended', outcome: 'network' });
  expect(JSON.stringify(lines)).not.toContain(key);
});
