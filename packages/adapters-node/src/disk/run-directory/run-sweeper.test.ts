import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMarkedProcesses, runMarkerName } from '../../processes/marked-processes.ts';
import { ownIdentity, type ProcessIdentity } from '../../processes/process-identity.ts';
import { createRunDirectory } from './run-directory.ts';
import { RunSweeper } from './run-sweeper.ts';

let root: string;
let runsDirectory: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sweep-'));
  runsDirectory = join(root, 'runs');
  await mkdir(runsDirectory, { mode: 0o700 });
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
  await rm(root, { recursive: true });
});

/** A run as a killed server leaves it. */
async function leaveRun(owner: unknown): Promise<string> {
  const runId = randomUUID();
  const directory = join(runsDirectory, runId);
  await mkdir(join(directory, 'tmp'), { recursive: true });
  await writeFile(join(directory, 'tmp', 'gemini-client-error.json'), 'the whole prompt');
  await writeFile(join(directory, 'owner.json'), typeof owner === 'string' ? owner : JSON.stringify(owner));
  return runId;
}

async function deadOwner(): Promise<ProcessIdentity> {
  const child = spawn('/bin/sh', ['-c', 'exit 0']);
  await once(child, 'exit');
  return { pid: child.pid ?? 0, startTicks: '1' };
}

async function startMarked(runId: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'] ?? '', [runMarkerName]: runId };
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; echo; exec sleep 300'], { env, detached: true });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function makeOld(path: string): Promise<void> {
  await utimes(path, new Date(0), new Date(0));
}

function sweepRuns(directory: string): Promise<readonly string[]> {
  return new RunSweeper({ runsDirectory: directory, release: () => undefined }).sweep();
}

describe('RunSweeper', () => {
  it('CLI-05: clears the runs of dead servers', async () => {
    const runIds = [await leaveRun(await deadOwner()), await leaveRun(await deadOwner())];
    expect([...(await sweepRuns(runsDirectory))].sort()).toEqual(runIds.sort());
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('leaves the runs of living servers', async () => {
    const { runId } = await createRunDirectory(runsDirectory);
    const stranger = await leaveRun({ pid: process.ppid, startTicks: null });
    expect(await sweepRuns(runsDirectory)).toEqual([]);
    expect([...(await readdir(runsDirectory))].sort()).toEqual([runId, stranger].sort());
  });

  it.skipIf(process.platform !== 'linux')(
    "does not mistake a later process with the server's id for the server",
    async () => {
      const runId = await leaveRun({ ...ownIdentity(), startTicks: '1' });
      expect(await sweepRuns(runsDirectory)).toEqual([runId]);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'CLI-05: ends the remaining processes of dead servers, and nothing else',
    async () => {
      const [dead, living] = [await leaveRun(await deadOwner()), await leaveRun(ownIdentity())];
      await startMarked(dead);
      const ofLiving = await startMarked(living);
      const ofNobody = await startMarked(randomUUID());
      await sweepRuns(runsDirectory);
      expect(findMarkedProcesses(new Set([dead]))).toEqual([]);
      expect(findMarkedProcesses(new Set([living]))).toContain(ofLiving.pid);
      expect(ofNobody.exitCode ?? ofNobody.signalCode).toBeNull();
    },
  );

  it.each([
    ['of another form', { pid: 'x' }],
    ['of no process', { pid: 0, startTicks: null }],
    ['of every process', { pid: -1, startTicks: null }],
    ['that is not an object', []],
  ])('clears a run with an owner file %s', async (_, owner) => {
    const runId = await leaveRun(owner);
    expect(await sweepRuns(runsDirectory)).toEqual([runId]);
  });

  it.each([
    ['an empty owner file', (path: string) => writeFile(path, '')],
    ['half of an owner file', (path: string) => writeFile(path, '{"pid":1')],
    ['no owner file', (path: string) => rm(path)],
  ])(
    'STATE-02: clears a run with %s after half a minute: it may be half created or half removed',
    async (_, damage) => {
      const runId = await leaveRun('');
      await damage(join(runsDirectory, runId, 'owner.json'));
      let nowMs = 0;
      const sweeper = new RunSweeper({ runsDirectory, release: () => undefined, nowMs: () => nowMs });
      expect(await sweeper.sweep()).toEqual([]);
      nowMs = 29_999;
      expect(await sweeper.sweep()).toEqual([]);
      nowMs = 30_000;
      expect(await sweeper.sweep()).toEqual([runId]);
      expect(await readdir(runsDirectory)).toEqual([]);
    },
  );

  it('STATE-01: keeps a run whose server cannot be looked up from here for as long as the server touches it', async () => {
    const elsewhere = { pid: 1, startTicks: '1', realm: 'of another container' };
    const [touched, left] = [await leaveRun(elsewhere), await leaveRun(elsewhere)];
    let nowMs = 0;
    const sweeper = new RunSweeper({ runsDirectory, release: () => undefined, nowMs: () => nowMs });
    for (nowMs = 0; nowMs < 30_000; nowMs += 10_000) {
      await utimes(join(runsDirectory, touched, 'owner.json'), nowMs, nowMs);
      expect(await sweeper.sweep()).toEqual([]);
    }
    await utimes(join(runsDirectory, touched, 'owner.json'), nowMs, nowMs);
    expect(await sweeper.sweep()).toEqual([left]);
    expect(await readdir(runsDirectory)).toEqual([touched]);
  });

  it('STATE-01: does not mistake a process of ours for a server with the same id in another container', async () => {
    const runId = await leaveRun({ ...ownIdentity(), realm: 'of another container' });
    let nowMs = 0;
    const sweeper = new RunSweeper({ runsDirectory, release: () => undefined, nowMs: () => nowMs });
    expect(await sweeper.sweep()).toEqual([]);
    nowMs = 30_000;
    expect(await sweeper.sweep()).toEqual([runId]);
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('is not held up by %s in place of an owner file', async (_, put) => {
    const runIds = await Promise.all(Array.from({ length: 6 }, () => leaveRun('')));
    for (const runId of runIds) {
      const owner = join(runsDirectory, runId, 'owner.json');
      rmSync(owner);
      put(owner);
    }
    let nowMs = 0;
    const sweeper = new RunSweeper({ runsDirectory, release: () => undefined, nowMs: () => nowMs });
    expect(await sweeper.sweep()).toEqual([]);
    nowMs = 30_000;
    expect([...(await sweeper.sweep())].sort()).toEqual([...runIds].sort());
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('leaves everything that is not a run, however old, and follows no link', async () => {
    const elsewhere = join(root, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'owner.json'), JSON.stringify(await deadOwner()));
    await mkdir(join(runsDirectory, 'notes'));
    await writeFile(join(runsDirectory, 'notes', 'mine'), 'kept');
    await writeFile(join(runsDirectory, 'file'), 'kept');
    await writeFile(join(runsDirectory, randomUUID()), 'a file by the name of a run');
    await symlink(elsewhere, join(runsDirectory, randomUUID()));
    const before = await readdir(runsDirectory);
    await Promise.all(before.map((name) => makeOld(join(runsDirectory, name))));
    expect(await sweepRuns(runsDirectory)).toEqual([]);
    expect(await readdir(runsDirectory)).toEqual(before);
    expect(await readFile(join(runsDirectory, 'notes', 'mine'), 'utf8')).toBe('kept');
    expect(await readdir(elsewhere)).toEqual(['owner.json']);
  });

  it('removes a link in a run, but not its target', async () => {
    const runId = await leaveRun(await deadOwner());
    await writeFile(join(root, 'oauth_creds.json'), 'login');
    await symlink(join(root, 'oauth_creds.json'), join(runsDirectory, runId, 'oauth_creds.json'));
    expect(await sweepRuns(runsDirectory)).toEqual([runId]);
    expect(await readFile(join(root, 'oauth_creds.json'), 'utf8')).toBe('login');
  });

  it('two servers that start at once clear each run together', async () => {
    await Promise.all(Array.from({ length: 5 }, async () => leaveRun(await deadOwner())));
    await Promise.all([sweepRuns(runsDirectory), sweepRuns(runsDirectory)]);
    expect(await readdir(runsDirectory)).toEqual([]);
  });

  it('does nothing without runs', async () => {
    expect(await sweepRuns(join(root, 'missing'))).toEqual([]);
    await writeFile(join(root, 'file'), '');
    expect(await sweepRuns(join(root, 'file'))).toEqual([]);
  });
});
