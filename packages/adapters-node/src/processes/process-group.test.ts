import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { signalGroup, untilGroupIsGone } from './process-group.ts';
import { isAlive } from './process-identity.ts';

const groups: number[] = [];

/** Starts a shell in its own group; resolves to its id and to its first line of output. */
async function startGroup(script: string): Promise<{ readonly groupId: number; readonly said: string }> {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  const groupId = child.pid ?? 0;
  groups.push(groupId);
  return { groupId, said: String(said).trim() };
}

afterEach(() => {
  for (const groupId of groups.splice(0)) {
    signalGroup(groupId, 'SIGKILL');
  }
});

describe('untilGroupIsGone', () => {
  it('waits for a member that outlives the first process of the group', async () => {
    const { groupId, said } = await startGroup('sleep 300 & echo $!; exec >&-; wait');
    let isGone = false;
    const gone = untilGroupIsGone(groupId).finally(() => {
      isGone = true;
    });
    await setImmediate();
    expect(isGone).toBe(false);
    signalGroup(groupId, 'SIGKILL');
    expect(await gone).toBe(true);
    expect(isAlive({ pid: Number(said), startTicks: null })).toBe(false);
  });

  it('does not wait for a zombie', async () => {
    // The program that replaces the shell never reaps the child that it got.
    const { said } = await startGroup('setsid sh -c "echo \\$\\$" & exec sleep 300');
    const ended = Number(said);
    await expect.poll(() => isAlive({ pid: ended, startTicks: null })).toBe(false);
    expect(() => process.kill(-ended, 0)).not.toThrow();
    expect(await untilGroupIsGone(ended)).toBe(true);
  });

  it('resolves at once for a missing group', async () => {
    const { groupId } = await startGroup('echo here');
    await expect.poll(() => isAlive({ pid: groupId, startTicks: null })).toBe(false);
    expect(await untilGroupIsGone(groupId)).toBe(true);
  });
});
