import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageEntry } from '@gemini-mcp/core';
import { describeUsageLedgerContract } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileUsageLedger } from './file-usage-ledger.ts';

const novemberMs = Date.UTC(2026, 10, 15);
const signal = new AbortController().signal;

let directory: string;
let problems: string[];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'usage-ledger-')));
  problems = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (): FileUsageLedger =>
  new FileUsageLedger({ directory, onProblem: (sentence) => problems.push(sentence) });

const fileOf = (month: string): string => join(directory, 'usage', `${month}.jsonl`);

const entryAt = (atMs: number): UsageEntry => ({
  ...{ atMs, owner: '', tool: 'chat', client: null, backend: null, outcome: 'answered', durationMs: 1, usage: [] },
});

async function record(...entries: readonly UsageEntry[]): Promise<void> {
  const ledger = open();
  for (const entry of entries) {
    ledger.record(entry);
  }
  await ledger.close();
}

async function readTimes(): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const entries of open().read(0, signal)) {
    times.push(...entries.map(({ atMs }) => atMs));
  }
  return times;
}

describeUsageLedgerContract({
  name: 'FileUsageLedger',
  create: async () => ({
    ledger: open(),
    reopen: open,
    // A directory where a later month would have its file.
    breakWriting: async () => void (await mkdir(fileOf('2027-01'))),
    dispose: async () => undefined,
  }),
});

describe('the files of a ledger', () => {
  it.skipIf(process.platform === 'win32')('are private', async () => {
    await record(entryAt(novemberMs));
    const modes = await Promise.all([join(directory, 'usage'), fileOf('2026-11')].map((path) => stat(path)));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600']);
  });

  it('have one line for each entry', async () => {
    await record(entryAt(novemberMs), entryAt(novemberMs + 1));
    const lines = (await readFile(fileOf('2026-11'), 'utf8')).split('\n');
    expect(lines.map((line) => (line === '' ? null : JSON.parse(line).atMs))).toEqual([
      novemberMs,
      novemberMs + 1,
      null,
    ]);
  });

  it('lose only the entry that a killed process left unfinished', async () => {
    await record(entryAt(novemberMs));
    await appendFile(fileOf('2026-11'), '{"atMs":17');
    await record(entryAt(novemberMs + 2));
    expect(await readTimes()).toEqual([novemberMs, novemberMs + 2]);
  });

  it.each(['{"atMs":"now"}', '[]', 'x', '', `{"atMs":1,"owner":"${'x'.repeat(70_000)}"}`, '\u0000'])(
    'may hold the damaged line %j',
    async (line) => {
      await record(entryAt(novemberMs));
      await appendFile(fileOf('2026-11'), `${line}\n`);
      await record(entryAt(novemberMs + 1));
      expect(await readTimes()).toEqual([novemberMs, novemberMs + 1]);
    },
  );

  it('may hold many megabytes without a line end', async () => {
    await record(entryAt(novemberMs));
    await appendFile(fileOf('2026-11'), 'x'.repeat(5_000_000));
    await record(entryAt(novemberMs + 1));
    expect(await readTimes()).toEqual([novemberMs, novemberMs + 1]);
  });

  it('are removed after 24 months', async () => {
    await mkdir(join(directory, 'usage'));
    const names = ['2024-10.jsonl', '2024-11.jsonl', '2026-10.jsonl', 'notes.txt'];
    await Promise.all(names.map((name) => writeFile(join(directory, 'usage', name), '')));
    await record(entryAt(novemberMs));
    expect(await readdir(join(directory, 'usage'))).toEqual([...names.slice(1, 3), '2026-11.jsonl', 'notes.txt']);
  });

  it.skipIf(process.platform === 'win32')('are never reached through a link', async () => {
    const target = join(directory, 'target');
    await writeFile(target, 'mine\n');
    await mkdir(join(directory, 'usage'));
    await symlink(target, fileOf('2026-11'));
    await record(entryAt(novemberMs));
    expect(await readFile(target, 'utf8')).toBe('mine\n');
    expect(await readTimes()).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

it('says once why entries are lost, and keeps later ones that can be written', async () => {
  await mkdir(fileOf('2026-11'), { recursive: true });
  const ledger = open();
  for (const atMs of [novemberMs, novemberMs + 1]) {
    ledger.record(entryAt(atMs));
    await ledger.close();
  }
  await rm(fileOf('2026-11'), { recursive: true });
  ledger.record(entryAt(novemberMs + 2));
  await ledger.close();
  expect(problems).toEqual([expect.stringMatching(/^Usage is not recorded: .*\(EISDIR\)\.$/)]);
  expect(await readTimes()).toEqual([novemberMs + 2]);
});
