import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UndoReport } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../../disk/durable/quarantine.ts';
import { RunJournals, type RunJournalsOptions, type SavedRun } from './run-journals.ts';
import { JournalledChanges } from './testing/journalled-changes.ts';
import { digestTree, listTree } from './testing/tree-digest.ts';

let base: string;
let clock: FakeClock;
let journals: RunJournals;
let quarantined: Quarantined[];

const noAbort = new AbortController().signal;

function project(name = ''): string {
  return join(base, 'project', name);
}

function state(name = ''): string {
  return join(base, 'state', name);
}

function createJournals(options: Partial<RunJournalsOptions> = {}): RunJournals {
  return new RunJournals({
    stateDirectory: state(),
    clock,
    privateDirectories: [],
    onQuarantine: (one) => quarantined.push(one),
    ...options,
  });
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'run-journals-')));
  clock = new FakeClock(Date.now());
  quarantined = [];
  journals = createJournals();
  await mkdir(project('src'), { recursive: true });
  await writeFile(project('src/a.ts'), 'one\r\ntwo');
  await chmod(project('src/a.ts'), 0o751);
  await writeFile(project('b.txt'), '\u{FEFF}b\n');
});

afterEach(() => rm(base, { recursive: true }));

function begin(runId = 'run-1', owner = 'alice'): Promise<SavedRun> {
  return journals.create({ runId, owner, workingDirectory: project(), roots: [project()] });
}

/** A run that has ended. */
async function run(act: (changes: JournalledChanges) => Promise<void>, runId = 'run-1'): Promise<void> {
  const { journal, end } = await begin(runId);
  await act(new JournalledChanges(journal));
  await end();
}

function undo(fields: { runId?: string; owner?: string; paths?: readonly string[] } = {}): Promise<UndoReport> {
  return journals.undo({ runId: 'run-1', owner: 'alice', ...fields }, noAbort);
}

/** The outcome of each path, with the beginning of the reason. */
function outcomes(report: UndoReport): Readonly<Record<string, string>> | null {
  if (!report.found) {
    return null;
  }
  return Object.fromEntries(report.paths.map(({ path, outcome, reason }) => [path, `${outcome} ${reason}`.trim()]));
}

describe('RunJournals', () => {
  it("UNDO-05: restores a run's changes, byte for byte and with their modes, and reports the same the second time", async () => {
    const before = await digestTree(project());
    await run(async (changes) => {
      await changes.put(project('src/a.ts'), 'changed', 0o751);
      await changes.put(project('src/a.ts'), 'changed again', 0o600);
      await changes.put(project('deep/er/new.ts'), 'new');
      await changes.remove(project('b.txt'));
    });
    expect(outcomes(await undo())).toEqual({
      'b.txt': 'restored',
      'deep/er/new.ts': 'removed',
      'src/a.ts': 'restored',
    });
    expect(await digestTree(project())).toBe(before);
    expect(outcomes(await undo())).toEqual({
      'b.txt': 'already-as-before',
      'deep/er/new.ts': 'already-as-before',
      'src/a.ts': 'already-as-before',
    });
    expect(await digestTree(project())).toBe(before);
  });

  it('undoes the named paths, with the directories created for them', async () => {
    await run(async (changes) => {
      await changes.put(project('src/a.ts'), 'changed');
      await changes.put(project('deep/er/new.ts'), 'new');
      await changes.put(project('other/new.ts'), 'new');
    });
    expect(outcomes(await undo({ paths: ['deep/er/new.ts', 'elsewhere.ts'] }))).toEqual({
      'deep/er/new.ts': 'removed',
      'elsewhere.ts': 'refused The run did not change it.',
    });
    expect(await readdir(project())).toEqual(['b.txt', 'other', 'src']);
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('changed');
  });

  it('UNDO-01: refuses paths that the user changed, renamed or deleted since, and restores the rest', async () => {
    await run(async (changes) => {
      await changes.put(project('src/a.ts'), 'changed', 0o751);
      await changes.put(project('edited.ts'), 'new');
      await changes.put(project('moved.ts'), 'new');
      await changes.put(project('mode.ts'), 'new');
      await changes.put(project('dir/linked.ts'), 'new');
      await changes.remove(project('b.txt'));
    });
    await appendFile(project('edited.ts'), ' by the user');
    await rename(project('moved.ts'), project('elsewhere.ts'));
    await chmod(project('mode.ts'), 0o700);
    await rm(project('dir/linked.ts'));
    await symlink('../src/a.ts', project('dir/linked.ts'));
    await writeFile(project('b.txt'), 'of the user');
    const changed = 'refused It was changed after the run.';
    expect(outcomes(await undo())).toEqual({
      'b.txt': changed,
      'dir/linked.ts': changed,
      'edited.ts': changed,
      'mode.ts': process.platform === 'win32' ? 'removed' : changed,
      'moved.ts': 'already-as-before',
      'src/a.ts': 'restored',
    });
    expect(await readFile(project('edited.ts'), 'utf8')).toBe('new by the user');
    expect(await readFile(project('elsewhere.ts'), 'utf8')).toBe('new');
    expect(await readFile(project('b.txt'), 'utf8')).toBe('of the user');
  });

  it('UNDO-02: refuses a file that was moved away, and does not recreate it', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed'));
    await rename(project('src/a.ts'), project('src/z.ts'));
    expect(outcomes(await undo())).toEqual({
      'src/a.ts': 'refused It no longer exists: it was moved or deleted after the run.',
    });
    await rename(project('src'), project('lib'));
    expect(outcomes(await undo())).toEqual({
      'src/a.ts': 'refused Its directory no longer exists.',
    });
  });

  it('refuses a path that the user changed between two changes of the run', async () => {
    await run(async (changes) => {
      await changes.put(project('src/a.ts'), 'first');
      await writeFile(project('src/a.ts'), 'of the user');
      await changes.put(project('src/a.ts'), 'last');
    });
    const report = outcomes(await undo());
    expect(report?.['src/a.ts']).toMatch(/^refused Something else changed it in the middle of the run/);
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('last');
  });

  it('ignores a change that was recorded but not made', async () => {
    const { journal, end } = await begin();
    const changes = new JournalledChanges(journal);
    await changes.put(project('src/a.ts'), 'made', 0o751);
    const bytes = await readFile(project('src/a.ts'));
    await journal.record({
      path: project('src/a.ts'),
      before: { type: 'file', bytes, mode: 0o751 },
      after: { type: 'file', hash: '0'.repeat(64), mode: 0o751 },
    });
    await journal.record({
      path: project('never.ts'),
      before: { type: 'absent' },
      after: { type: 'file', hash: '0'.repeat(64), mode: 0o644 },
    });
    await end();
    expect(outcomes(await undo())).toEqual({ 'never.ts': 'already-as-before', 'src/a.ts': 'restored' });
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('one\r\ntwo');
  });

  it('leaves a directory of the run that now contains something else', async () => {
    await run((changes) => changes.put(project('made/new.ts'), 'new'));
    await writeFile(project('made/users.ts'), 'u');
    expect(outcomes(await undo())).toEqual({ 'made/new.ts': 'removed' });
    expect(await readdir(project('made'))).toEqual(['users.ts']);
  });

  it.runIf(process.platform !== 'win32')('UNDO-03: follows no link that took the place of a directory', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed', 0o751));
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside/a.ts'), 'changed');
    await chmod(join(base, 'outside/a.ts'), 0o751);
    await rename(project('src'), project('kept'));
    await symlink(join(base, 'outside'), project('src'));
    expect(outcomes(await undo())?.['src/a.ts']).toMatch(/^refused Its path now leads through a link/);
    expect(await readFile(join(base, 'outside/a.ts'), 'utf8')).toBe('changed');
    await rm(project('src'));
    await symlink('kept', project('src'));
    expect(outcomes(await undo())?.['src/a.ts']).toMatch(/^refused Its path now leads through a link/);
    expect(await readFile(project('kept/a.ts'), 'utf8')).toBe('changed');
  });

  it("UNDO-04: knows only its owner's run, and no run without a journal", async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed'));
    expect(await undo({ owner: 'bob' })).toEqual({ found: false });
    expect(await undo({ runId: 'run-2' })).toEqual({ found: false });
    expect(await undo({ runId: '../run-1' })).toEqual({ found: false });
    await rm(state(), { recursive: true });
    expect(await undo()).toEqual({ found: false });
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('changed');
  });

  it('refuses while the run is in progress, in the same process and in another', async () => {
    const { journal, end } = await begin();
    await new JournalledChanges(journal).put(project('src/a.ts'), 'changed');
    const goingOn = { 'src/a.ts': 'refused The run is still in progress: end it first.' };
    expect(outcomes(await undo())).toEqual(goingOn);
    const elsewhere = createJournals();
    expect(outcomes(await elsewhere.undo({ runId: 'run-1', owner: 'alice' }, noAbort))).toEqual(goingOn);
    await end();
    expect(outcomes(await elsewhere.undo({ runId: 'run-1', owner: 'alice' }, noAbort))).toEqual({
      'src/a.ts': 'restored',
    });
  });

  it('accepts no name twice, and no invalid one', async () => {
    await run(async () => undefined);
    await expect(begin()).rejects.toThrow('The run could not be undone');
    await expect(begin('a/b')).rejects.toThrow('is not valid for a journal');
  });

  it.runIf(process.platform !== 'win32')('keeps everything private to this user', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed'));
    const entries = await readdir(state(), { recursive: true, withFileTypes: true });
    expect(entries.length).toBeGreaterThan(4);
    for (const entry of entries) {
      const { mode } = await lstat(join(entry.parentPath, entry.name));
      expect((mode & 0o777).toString(8)).toBe(entry.isDirectory() ? '700' : '600');
    }
  });

  it('continues after a line that was not written whole', async () => {
    await run(async (changes) => {
      await changes.put(project('src/a.ts'), 'changed', 0o751);
    });
    const [owner = ''] = await readdir(state('journals'));
    const path = join(state('journals'), owner, 'run-1', 'journal');
    const whole = await readFile(path);
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;
    for (const end of [whole.length - 1, whole.length - 20, lastLine + 1]) {
      await writeFile(project('src/a.ts'), 'changed');
      await writeFile(path, whole.subarray(0, end));
      expect(outcomes(await createJournals().undo({ runId: 'run-1', owner: 'alice' }, noAbort))).toEqual({
        'src/a.ts': 'refused The run is still in progress: end it first.',
      });
    }
    expect(quarantined).toEqual([]);
  });

  it('moves a damaged journal aside, and reports it', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed'));
    const [owner = ''] = await readdir(state('journals'));
    const path = join(state('journals'), owner, 'run-1', 'journal');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"absent"', '"abzent"').replace('src/a.ts', 'src/b.ts'));
    expect(await undo()).toEqual({ found: false });
    expect(quarantined).toEqual([{ path: expect.stringContaining('run-1.corrupt-'), reason: 'line 2 is damaged' }]);
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('changed');
  });

  it('refuses to restore a content that was damaged', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed'));
    const [owner = ''] = await readdir(state('journals'));
    const contents = join(state('journals'), owner, 'run-1', 'contents');
    const [name = ''] = await readdir(contents);
    await writeFile(join(contents, name), 'something else');
    expect(outcomes(await undo())).toEqual({
      'src/a.ts': 'refused Its content was not kept, or the kept content is damaged.',
    });
    expect(await readFile(project('src/a.ts'), 'utf8')).toBe('changed');
  });

  it('keeps runs for a week, and no more of them than the limit', async () => {
    journals = createJournals({ bounds: { maxRecordsOfOwner: 2, maxBytesOfOwner: 1e9, maxBytes: 1e9 } });
    for (const runId of ['run-1', 'run-2', 'run-3']) {
      await run((changes) => changes.put(project(`${runId}.ts`), 'new'), runId);
    }
    expect(await undo({ runId: 'run-1' })).toEqual({ found: false });
    expect(outcomes(await undo({ runId: 'run-2' }))).toEqual({ 'run-2.ts': 'removed' });
    clock.advance(7 * 24 * 3_600_000 + 60_000);
    expect(await undo({ runId: 'run-3' })).toEqual({ found: false });
    expect((await listTree(project())).some((line) => line.includes('run-3.ts'))).toBe(true);
  });

  it('keeps one content for each path, and a line for each change', async () => {
    const { journal, directory, end } = await begin();
    const bytes = Buffer.alloc(10_000, 'x');
    for (let index = 0; index < 1_000; index += 1) {
      const hash = String(index).padStart(64, '0');
      const path = project(`src/file-${index % 4}.ts`);
      await journal.record({
        path,
        before: { type: 'file', bytes, mode: 0o644 },
        after: { type: 'file', hash, mode: 0o644 },
      });
    }
    expect(journal.account.paths).toHaveLength(4);
    expect(await readdir(join(directory, 'contents'))).toHaveLength(1);
    expect(journal.sizeBytes).toBeLessThan(10_000 + 1_000 * 500);
    await end();
  });

  it('removes the copies that a killed run left', async () => {
    await run((changes) => changes.put(project('src/a.ts'), 'changed', 0o751));
    const [owner = ''] = await readdir(state('journals'));
    const place = join(state('journals'), owner, 'run-1');
    await mkdir(join(place, 'copies'), { mode: 0o700 });
    await writeFile(join(place, 'copies/1'), 'a copy');
    journals = createJournals();
    expect(outcomes(await undo())).toEqual({ 'src/a.ts': 'restored' });
    expect(await readdir(place)).toEqual(['contents', 'journal']);
  });

  it('refuses a change that does not fit into the journal', async () => {
    journals = createJournals({ limits: { maxBytes: 2_000, maxJournalBytes: 1_900 } });
    const { journal, end } = await begin();
    const changes = new JournalledChanges(journal);
    await writeFile(project('large.ts'), 'x'.repeat(2_000));
    await expect(changes.put(project('large.ts'), 'changed')).rejects.toThrow('The journal of the run is full');
    await changes.put(project('src/a.ts'), 'changed', 0o751);
    await end();
    expect(outcomes(await undo())).toEqual({ 'src/a.ts': 'restored' });
  });
});
