import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeGeminiCli } from '@gemini-mcp/fake-gemini';
import { LeapingClock } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GeminiCli } from '../finding/locate-gemini-cli.ts';
import { processesOf } from '../testing/processes-of.ts';
import type { AcpProcess } from './process/acp-process.ts';
import type { ProcessKind } from './process/process-kind.ts';
import { type AcpStart, startAcpProcess } from './process/start-acp-process.ts';
import { defaultWarmLimits } from './warm-limits.ts';

let root: string;
let clock: LeapingClock;
let spawned: AcpProcess[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'warm-start-')));
  clock = new LeapingClock();
  spawned = [];
});

afterEach(async () => {
  await Promise.all(spawned.map((process) => process.end()));
  const left = processesOf(root);
  await rm(root, { recursive: true });
  expect(left).toEqual([]);
  expect(clock.sleeping).toBe(0);
});

function kindOf(path: string, environment: Readonly<Record<string, string>> = {}): ProcessKind {
  const cli: GeminiCli = { path, version: '0.61.0', command: { file: path, arguments: [] }, foundBy: 'GEMINI_MCP_CLI' };
  return {
    key: 'a key',
    cli,
    model: 'gemini-2.5-pro',
    systemPrompt: null,
    tools: [],
    hasModelTools: false,
    isAlone: false,
    authType: 'gemini-api-key',
    allowsGoogleLogs: false,
    hasLogin: true,
    environment,
    path: '/usr/bin:/bin',
    loginDirectory: null,
  };
}

function start(kind: ProcessKind, runsDirectory = join(root, 'runs')): Promise<AcpStart> {
  return startAcpProcess({
    clock,
    limits: { ...defaultWarmLimits, answerMs: 300, silenceMs: 100 },
    runsDirectory,
    userDirectory: join(root, '.gemini'),
    kind,
    onSpawned: (process) => spawned.push(process),
  });
}

async function writeProgram(source: string): Promise<string> {
  const path = join(root, 'program');
  await writeFile(path, `#!${process.execPath}\n${source}`);
  await chmod(path, 0o755);
  return path;
}

/** Greets, and then does something else. */
function greetingProgram(then: string): string {
  const greeting = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  });
  return `process.stdin.once('data', () => {
    process.stdout.write(${JSON.stringify(`${greeting}\n`)});
    ${then}
  });
  setInterval(() => {}, 1_000);`;
}

describe('startAcpProcess', () => {
  it('resolves to a process that has been greeted', async () => {
    const path = await createFakeGeminiCli({ directory: join(root, 'cli') });
    const started = await start(kindOf(path));
    expect(started.ok && started.process.isThere).toBe(true);
    await spawned[0]?.end();
    expect(spawned[0]?.isThere).toBe(false);
  });

  it('reports a missing program', async () => {
    const started = await start(kindOf(join(root, 'nowhere')));
    expect(started).toMatchObject({ ok: false, detail: expect.stringMatching(/ended with 12[67]|not found|ENOENT/) });
  });

  it('reports a directory that cannot be created', async () => {
    await writeFile(join(root, 'file'), '');
    const path = await createFakeGeminiCli({ directory: join(root, 'cli') });
    const started = await start(kindOf(path), join(root, 'file', 'runs'));
    expect(started).toMatchObject({ ok: false, detail: expect.stringContaining('ENOTDIR') });
    expect(spawned).toEqual([]);
  });

  it('reports an environment that no process can have', async () => {
    const path = await createFakeGeminiCli({ directory: join(root, 'cli') });
    const started = await start(kindOf(path, { HTTPS_PROXY: 'http://a\0b' }));
    expect(started.ok).toBe(false);
  });

  it('reports the last output of a process', async () => {
    const path = await writeProgram("console.error('No such luck');process.exit(4);");
    expect(await start(kindOf(path))).toEqual({
      ok: false,
      isShortage: false,
      detail: 'it ended with 4\nNo such luck',
    });
  });
});

describe('a process that closes its input and stays', () => {
  it('is ended, and no call waits for it', async () => {
    const path = await writeProgram(greetingProgram("process.stdin.destroy(); require('node:fs').closeSync(0);"));
    const started = await start(kindOf(path));
    expect(started.ok).toBe(true);
    const [process] = spawned;
    const prompt = process?.prompt('a session', [{ type: 'text', text: 'x'.repeat(1_000_000) }], () => undefined);
    expect(await prompt).toEqual({ ok: false, closed: true });
    expect((await process?.ended)?.fault).toMatch(/takes no more input|does not answer any more/);
  });
});
