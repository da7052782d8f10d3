import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { endMarkedProcesses, findMarkedProcesses, runMarkerName } from './marked-processes.ts';

const started: ChildProcess[] = [];
const runIds = new Set<string>();

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
  await endMarkedProcesses(runIds);
  expect(findMarkedProcesses(runIds)).toEqual([]);
  runIds.clear();
});

/** Starts a script whose first line of output shows that it runs. */
async function start(script: string, environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', script], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

function newRunId(): string {
  const runId = randomUUID();
  runIds.add(runId);
  return runId;
}

describe.skipIf(process.platform !== 'linux')('marked processes', () => {
  it('are found by their run, wherever the variable is, and not by a longer name', async () => {
    const [runId, otherId] = [newRunId(), newRunId()];
    const first = await start('echo; exec sleep 300', { [runMarkerName]: runId, A: '1' });
    const last = await start('echo; exec sleep 300', { A: '1', [runMarkerName]: runId });
    await start('echo; exec sleep 300', { [`X_${runMarkerName}`]: runId });
    await start('echo; exec sleep 300', { A: `${runMarkerName}=${runId}` });
    await start('echo; exec sleep 300', { [runMarkerName]: otherId });
    await start('echo; exec sleep 300', { [runMarkerName]: `${runId}0` });
    const found = findMarkedProcesses(new Set([runId]));
    expect([...found].sort()).toEqual([first.pid, last.pid].sort());
  });

  it('CLI-04: end with those in their own sessions and those that ignore signals, and no others', async () => {
    const [runId, otherId] = [newRunId(), newRunId()];
    const script = 'setsid sleep 300 & (trap "" TERM HUP INT; exec setsid sleep 300) & sleep 300 & echo; wait';
    await start(script, { PATH: process.env['PATH'] ?? '', [runMarkerName]: runId });
    const other = await start('echo; exec sleep 300', { [runMarkerName]: otherId });
    await expect.poll(() => findMarkedProcesses(new Set([runId])).length).toBe(4);
    await endMarkedProcesses(new Set([runId]));
    expect(findMarkedProcesses(new Set([runId]))).toEqual([]);
    expect(findMarkedProcesses(new Set([otherId]))).toEqual([other.pid]);
  });

  it('CLI-04: end although they keep starting others', async () => {
    const runId = newRunId();
    const script = 'echo; spawn() { setsid sh -c "sleep 300 & exec sleep 300" & }; while :; do spawn; sleep 0.01; done';
    await start(script, { PATH: process.env['PATH'] ?? '', [runMarkerName]: runId });
    await endMarkedProcesses(new Set([runId]));
    expect(findMarkedProcesses(new Set([runId]))).toEqual([]);
  });
});
