import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandPlan, CommandReport } from '@gemini-mcp/core';
import { takesAllWays, testUsers } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunSweeper } from '../../disk/run-directory/run-sweeper.ts';
import { releaseRecorded } from './protect/held-record.ts';
import { commandOf, pipelineOf, planOf } from './testing/plan-of.ts';
import { type ProgramTask, UserPlace } from './testing/run-as.ts';

/** Each round kills at another moment. */
const killRounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 6);

let place: UserPlace;

/** Longer than a loaded machine takes to reach a limit. */
const timeoutMs = 45_000;

/** An ordinary user, at night root as well: the kernel limits root less. */
const users = takesAllWays ? testUsers() : testUsers().slice(-1);

const hasPerl = existsSync('/usr/bin/perl');

/** Kernel calls by their numbers. Each program below takes some 500 MB at most, hardly any of it private, and waits. */
const perl = `
  my %call = $ARGV[0] eq "x64" ? (memfd_create => 319, read => 0, mmap => 9, madvise => 28, shmget => 29, shmat => 30, shmdt => 67)
    : (memfd_create => 279, read => 63, mmap => 222, madvise => 233, shmget => 194, shmat => 196, shmdt => 197);
  open(my $zero, '<', '/dev/zero');
  my $piece = "x" x 1_000_000;`;
const heldFiles = `for (1 .. 10) {
  open(my $file, '>&=', syscall($call{memfd_create}, my $name = "f", 0)) or die; push @held, $file;
  syswrite($file, $piece) for 1 .. 50 } sleep 50`;
const heldSegments = `for (1 .. 10) {
  my $at = syscall($call{shmat}, syscall($call{shmget}, 0, 50_000_000, 01600), 0, 0);
  syscall($call{read}, fileno($zero), $at, 50_000_000); syscall($call{shmdt}, $at) } sleep 50`;
const heldMappings = `for (1 .. 10) {
  my $at = syscall($call{mmap}, 0, 50_000_000, 3, 0x21, -1, 0);
  syscall($call{read}, fileno($zero), $at, 50_000_000); syscall($call{madvise}, $at, 50_000_000, 4) } sleep 50`;
const heldInSockets = `use Socket; use Fcntl; for (1 .. 3000) {
  socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die; push @held, $one, $other;
  fcntl($one, F_SETFL, O_NONBLOCK); 1 while syswrite($one, $piece) } sleep 50`;

/** The ids of the processes whose arguments contain a text, including those that only wait for a sandbox. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => argumentsOf(pid).includes(text));
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe.runIf(process.platform === 'linux').each(users)('the limits of a command of $name', (user) => {
  beforeEach(async () => {
    place = await UserPlace.make(user);
  });

  afterEach(() => place.remove());

  async function run(plan: CommandPlan, known: Partial<ProgramTask> = {}): Promise<CommandReport> {
    const [result] = await place.run({ plans: [plan], timeoutMs: 20_000, ...known });
    if (result?.ok !== true) {
      throw new Error(JSON.stringify(result));
    }
    return result.value;
  }

  const shell = (script: string): CommandPlan => planOf('sh', '-c', script);

  it.each([
    ['leaves one in the background', 'sleep 77001 & sleep 77001 & echo done'],
    ['leaves one in its own session', 'setsid sleep 77001 & nohup sleep 77001 & echo done'],
    ['forks twice', '(setsid sh -c "sleep 77001 & sleep 77001" > /dev/null 2>&1 &) ; echo done'],
    ['closes its output and stays', 'echo done; exec >&- 2>&-; sleep 77001 & exit 0'],
    ['kills everything that it can', 'echo done; sleep 77001 & kill -9 -1; kill -9 $PPID'],
  ])('SHELL-19: no process is left of a command that %s', async (_, script) => {
    expect((await run(shell(script))).output).toContain('done\n');
    expect(processesWith('77001')).toEqual([]);
  });

  it('SHELL-20: ends a command that takes too long, with all that it started', async () => {
    const report = await run(shell('setsid sleep 77002 & trap "" TERM; sleep 77002'), { timeoutMs: 500 });
    expect(report.end).toMatchObject({ type: 'stopped', reason: 'timeout' });
    expect(processesWith('77002')).toEqual([]);
  });

  it('SHELL-20: stops one that has too many processes', async () => {
    const script = 'for i in $(seq 3000); do sleep 77003 & done; wait; sleep 77003';
    const report = await run(shell(script), { limits: { maxProcesses: 200 }, timeoutMs: 5_000 });
    const stopped = { type: 'stopped', reason: 'memory' };
    // The kernel limits users other than root too, so the shell may give up first.
    expect(report.end).toMatchObject(user.id === 0 || report.end?.type === 'stopped' ? stopped : { type: 'exited' });
    expect(processesWith('77003')).toEqual([]);
  });

  // Not as root, whom the kernel does not limit: others may be using the machine.
  it.skipIf(user.id === 0)('SHELL-20: no process is left of a fork bomb', async () => {
    const report = await run(shell('f() { f 77003 | f 77003 & }; f; sleep 77003'), { timeoutMs: 3_000 });
    expect(report.end).not.toBeNull();
    expect(processesWith('77003')).toEqual([]);
  });

  it('SHELL-20: stops one that prints endlessly', async () => {
    const report = await run(planOf('yes'), { limits: { maxOutputBytes: 5_000_000 } });
    expect(report).toMatchObject({ end: { type: 'stopped', reason: 'output' }, outputBytes: 5_000_000 });
    expect(report.output.length).toBeLessThan(41_000);
  });

  it('SHELL-20: lets no file grow endlessly', async () => {
    const plan = planOf('dd', 'if=/dev/zero', 'of=big', 'bs=1M', 'count=100');
    const report = await run(plan, { limits: { maxFileBytes: 10_000_000 } });
    expect(report.end).toMatchObject({ type: 'exited' });
    expect(report.end).not.toMatchObject({ exitCode: 0 });
    expect((await stat(join(place.project, 'big'))).size).toBe(10_000_000);
  });

  it('stops one that fills the disk with many files', async () => {
    const script = 'for i in $(seq 1000); do head -c 4000000 /dev/urandom > /tmp/$i; done';
    const report = await run(shell(script), { limits: { maxDiskBytes: 100_000_000 } });
    expect(report.end).toMatchObject({ type: 'stopped', reason: 'output' });
  });

  it('stops one whose processes together take too much memory', async () => {
    const hog = 'const held = []; setInterval(() => held.push(Buffer.alloc(20_000_000, 1)), 10);';
    const report = await run(planOf('node', '-e', hog), { limits: { maxMemoryBytes: 300_000_000 } });
    expect(report.end).toMatchObject({ type: 'stopped', reason: 'memory' });
  });

  it('HOST-L1: stops one that creates files endlessly', async () => {
    const script =
      'mkdir /tmp/many; cd /tmp/many; for i in $(seq 200); do mkdir $i; (cd $i; seq 200 | xargs touch); done; sleep 50';
    const report = await run(shell(script), { limits: { maxNewFiles: 1_000 }, timeoutMs });
    expect(report.end).toMatchObject({
      type: 'stopped',
      reason: 'output',
      detail: expect.stringContaining('new files'),
    });
  });

  it.runIf(hasPerl).each([
    ['files in memory that it does not map', heldFiles],
    ['segments that it has detached', heldSegments],
    ['mappings whose pages it has released', heldMappings],
  ])('HOST-M2: stops one that holds %s', async (_, script) => {
    const plan = planOf('perl', '-e', `${perl}\n${script}`, process.arch);
    const report = await run(plan, { limits: { maxMemoryBytes: 200_000_000 }, timeoutMs });
    expect(report.end).toMatchObject({
      type: 'stopped',
      reason: 'memory',
      detail: expect.stringContaining('with their shared memory'),
    });
  });

  it.runIf(hasPerl)(
    "HOST-M2: stops one that exhausts the machine's memory without any process holding it",
    async () => {
      const plan = planOf('perl', '-e', `${perl}\n${heldInSockets}`, process.arch);
      const report = await run(plan, { limits: { maxMemoryBytes: 60_000_000, minAvailableShare: 1 }, timeoutMs });
      expect(report.end).toMatchObject({
        type: 'stopped',
        reason: 'memory',
        detail: expect.stringContaining('free memory'),
      });
    },
  );

  it.runIf(existsSync('/usr/bin/python3'))(
    'HOST-M2: counts the memory of a process whose first thread has ended',
    async () => {
      const script = `
import ctypes, os, threading, time
def hold():
    while ' Z ' not in open(f'/proc/{os.getpid()}/stat').read(): time.sleep(0.01)
    held = bytearray(b'1') * 500_000_000
    time.sleep(20)
threading.Thread(target=hold).start()
ctypes.CDLL(None).syscall(${process.arch === 'x64' ? 60 : 93}, 0)`;
      const report = await run(planOf('python3', '-c', script), { limits: { maxMemoryBytes: 300_000_000 } });
      expect(report.end).toMatchObject({ type: 'stopped', reason: 'memory' });
    },
  );

  it('limits the size of in-memory files', async () => {
    const report = await run(shell('head -c 400000000 /dev/zero > /dev/shm/x; stat -c %s /dev/shm/x'));
    expect(Number(report.output.trim().split('\n').at(-1))).toBeLessThanOrEqual(268_435_456);
  });

  it('gives WebAssembly the memory that it requests', async () => {
    const report = await run(planOf('node', '-p', 'new WebAssembly.Memory({ initial: 1 }).buffer.byteLength'));
    expect(report.output).toBe('65536\n');
  });

  it('has no input, and no terminal', async () => {
    const report = await run(shell('cat; test -t 0 || echo none; echo x > /dev/tty; echo end'));
    expect(report.output).toMatch(/^none\n.*tty.*\nend\n$/s);
  });

  it('leaves no named pipe and no held name during and after concurrent commands', async () => {
    const many: CommandPlan = {
      directory: null,
      pipelines: [pipelineOf([commandOf(['ls', '-A', '/tmp']), commandOf(['cat']), commandOf(['wc', '-l'])])],
    };
    await place.run({ plans: Array.from({ length: 5 }, () => many) });
    expect(await readdir(place.project)).toEqual([]);
    expect(await readdir(place.runsDirectory)).toEqual([]);
  });

  const started = 'setsid sleep 77004 & (sleep 77004 &) ; mkdir -p .vscode; echo started; sleep 77004';

  it(`CLI-05: no process is left of a command whose server is killed (${killRounds} rounds)`, async () => {
    for (let round = 0; round < killRounds; round += 1) {
      const child = place.start({ plans: [shell(started)], waitMs: round * 7, until: 'started', stays: true });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect.poll(() => processesWith('77004'), { timeout: 2_000, interval: 20 }).toEqual([]);
    }
    await sweep();
    expect(await readdir(place.project)).toEqual([]);
  });

  it(`CLI-05: no command begins whose server was killed before (${killRounds} rounds)`, async () => {
    for (let round = 0; round < killRounds; round += 1) {
      const child = place.start({ plans: [shell(started)], waitMs: 2 + round * 3, stays: true });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect.poll(() => processesWith('sleep\x0077004'), { timeout: 2_000, interval: 20 }).toEqual([]);
    }
    // A sandbox that was not ready yet may wait for ever for one that is gone.
    await sweep();
    expect(processesWith('77004')).toEqual([]);
    expect(await readdir(place.project)).toEqual([]);
  });

  async function sweep(): Promise<void> {
    let nowMs = 0;
    const next = new RunSweeper({ runsDirectory: place.runsDirectory, release: releaseRecorded, nowMs: () => nowMs });
    await next.sweep();
    nowMs = 40_000;
    await next.sweep();
    expect(await readdir(place.runsDirectory)).toEqual([]);
  }
});
