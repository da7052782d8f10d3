import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '@gemini-mcp/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileAuditLog } from './file-audit-log.ts';

const noonMs = Date.UTC(2026, 10, 15, 12);
const dayMs = 86_400_000;

let directory: string;
let problems: string[];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'audit-log-')));
  problems = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const entryAt = (atMs: number): AuditEntry => ({
  ...{ type: 'job', atMs, outcome: 'answered', durationMs: 1, job: 'a1', work: null },
});

async function record(entries: readonly AuditEntry[], retentionDays = 2): Promise<void> {
  const log = new FileAuditLog({ directory, retentionDays, onProblem: (sentence) => problems.push(sentence) });
  for (const entry of entries) {
    log.record(entry);
  }
  await log.close();
}

const fileOf = (day: string): string => join(directory, 'audit', `${day}.jsonl`);

it('has a line for each entry, its time first, in the file of its day', async () => {
  await record([entryAt(noonMs), entryAt(noonMs + dayMs)]);
  expect(await readFile(fileOf('2026-11-15'), 'utf8')).toBe(
    '{"time":"2026-11-15T12:00:00.000Z","type":"job","outcome":"answered","durationMs":1,"job":"a1","work":null}\n',
  );
  expect(await readdir(join(directory, 'audit'))).toEqual(['2026-11-15.jsonl', '2026-11-16.jsonl']);
});

it('keeps what two processes record at once', async () => {
  const many = Array.from({ length: 500 }, () => entryAt(noonMs));
  await Promise.all([record(many), record(many)]);
  expect((await readFile(fileOf('2026-11-15'), 'utf8')).trimEnd().split('\n')).toHaveLength(1_000);
});

it.skipIf(process.platform === 'win32')('is private', async () => {
  await record([entryAt(noonMs)]);
  const stats = await Promise.all([join(directory, 'audit'), fileOf('2026-11-15')].map((path) => stat(path)));
  expect(stats.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600']);
});

it.each([
  [2, ['2026-11-13.jsonl', '2026-11-15.jsonl', 'notes.txt']],
  [0, ['2026-11-15.jsonl', 'notes.txt']],
  [
    Number.POSITIVE_INFINITY,
    ['2025-01-01.jsonl', '2026-11-12.jsonl', '2026-11-13.jsonl', '2026-11-15.jsonl', 'notes.txt'],
  ],
])('keeps %s days besides the current one', async (retentionDays, expected) => {
  await mkdir(join(directory, 'audit'));
  const old = ['2025-01-01.jsonl', '2026-11-12.jsonl', '2026-11-13.jsonl', 'notes.txt'];
  await Promise.all(old.map((name) => writeFile(join(directory, 'audit', name), '')));
  await record([entryAt(noonMs)], retentionDays);
  expect(await readdir(join(directory, 'audit'))).toEqual(expected);
});

it('says once why entries are lost', async () => {
  await mkdir(fileOf('2026-11-15'), { recursive: true });
  await record([entryAt(noonMs), entryAt(noonMs + dayMs)]);
  expect(problems).toEqual([expect.stringMatching(/^Calls are missing from the audit log: .*\(EISDIR\)\.$/)]);
  expect(await readdir(join(directory, 'audit'))).toContain('2026-11-16.jsonl');
});
