import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, ownIdentity } from './process-identity.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
});

function start(script: string): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  return child;
}

async function firstOutput({ stdout }: ChildProcess): Promise<string> {
  return stdout === null ? '' : String(await once(stdout, 'data')).trim();
}

describe('isAlive', () => {
  it('recognizes this process', () => {
    expect(ownIdentity().pid).toBe(process.pid);
    expect(isAlive(ownIdentity())).toBe(true);
    expect(isAlive({ pid: process.pid, startTicks: null })).toBe(true);
  });

  it('detects that a process has ended', async () => {
    const child = start('exit 0');
    await once(child, 'exit');
    expect(isAlive({ pid: child.pid ?? 0, startTicks: null })).toBe(false);
  });

  it('is not fooled by another user', () => {
    // Only root may signal process 1, but it exists for everybody.
    expect(isAlive({ pid: 1, startTicks: null })).toBe(true);
  });

  describe.skipIf(process.platform !== 'linux')('on systems that report when a process started', () => {
    it('does not mistake a later process with the same id for it', () => {
      const { pid, startTicks } = ownIdentity();
      expect(startTicks).toMatch(/^\d+$/);
      expect(isAlive({ pid, startTicks: `${Number(startTicks) - 1}` })).toBe(false);
    });

    it('does not count a zombie as alive', async () => {
      // The shell replaces itself with a program that never reaps its child; the child waits for that.
      const child = '(while [ "$(cat /proc/$$/comm)" = sh ]; do sleep 0.01; done)';
      const parent = start(`${child} & echo $!; exec sleep 300`);
      const pid = Number(await firstOutput(parent));
      await expect.poll(() => isAlive({ pid, startTicks: null })).toBe(false);
      expect(process.kill(pid, 0)).toBe(true);
    });

    it('reads past a name with blanks and parentheses', () => {
      const { title } = process;
      const before = ownIdentity();
      try {
        process.title = 'a) R 1 (b';
        expect(ownIdentity()).toEqual(before);
        expect(isAlive(before)).toBe(true);
      } finally {
        process.title = title;
      }
    });
  });
});
