import { describe, expect, it } from 'vitest';
import { type ProgramEnd, type ProgramRun, runProgram } from './run-program.ts';

const never = new AbortController().signal;

function runShell(script: string, options: Partial<ProgramRun> = {}, signal = never): Promise<ProgramEnd> {
  const environment = { PATH: '/usr/bin:/bin' };
  return runProgram({ file: '/bin/sh', arguments: ['-c', script], environment, timeoutMs: 10_000, ...options }, signal);
}

describe.skipIf(process.platform === 'win32')('runProgram', () => {
  it('resolves to the exit code and stdout, whole characters only', async () => {
    expect(await runShell('printf "\\303"; sleep 0.1; printf "\\244"; echo no >&2; exit 3')).toEqual({
      ran: true,
      exitCode: 3,
      stdout: 'ä',
    });
  });

  it('passes the program no input, and only the named variables', async () => {
    const end = await runShell('cat; env', { environment: { PATH: '/usr/bin:/bin', ONE: '1', NONE: undefined } });
    expect(end).toMatchObject({ ran: true, exitCode: 0, stdout: expect.stringContaining('ONE=1\n') });
    expect(end).not.toMatchObject({ stdout: expect.stringMatching(/NONE|HOME/) });
  });

  it('keeps a megabyte of the output, and lets the program continue', async () => {
    const end = await runShell('yes | head -c 3000000; exit 4');
    expect(end).toMatchObject({ ran: true, exitCode: 4 });
    expect(end.ran && end.stdout.length).toBe(1_048_576);
  });

  it('reports why a program was not started', async () => {
    const end = await runShell('', { file: '/nowhere/program' });
    expect(end).toMatchObject({ ran: false, error: { code: 'ENOENT' } });
  });

  it('starts nothing after an abort', async () => {
    const signal = AbortSignal.abort('reason');
    expect(await runShell('exit 0', {}, signal)).toEqual({ ran: false, error: 'reason' });
  });

  it('ends a program on abort', async () => {
    const aborting = new AbortController();
    const ending = runShell('exec sleep 60', {}, aborting.signal);
    aborting.abort();
    expect(await ending).toEqual({ ran: true, exitCode: null, stdout: '' });
  });

  it('kills a program that ignores its timeout', async () => {
    const end = await runShell('trap "" TERM; echo begun; while :; do sleep 0.05; done', {
      timeoutMs: 300,
      graceMs: 50,
    });
    expect(end).toEqual({ ran: true, exitCode: null, stdout: 'begun\n' });
  });

  it('does not wait for a process that the program has started and that holds its pipes', async () => {
    const end = await runShell('sleep 300 & echo $!');
    expect(end).toMatchObject({ exitCode: 0 });
    // Throws if that process has ended.
    process.kill(Number(end.ran && end.stdout));
  });
});
