import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPathCompleter } from '../files/complete-path.ts';
import { FileContextResolver } from '../files/file-context-resolver.ts';

let root: string;
const clock = new FakeClock();
const noAbort = new AbortController().signal;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'unopened-')));
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/a.txt'), 'a');
});

afterEach(() => rmSync(root, { recursive: true }));

/** Waits with a word for a reader of the pipe; resolves when the kernel shows that it sleeps. */
async function startWriter(pipe: string): Promise<ChildProcessByStdio<null, Readable, null>> {
  const writer = spawn('/bin/sh', ['-c', 'echo ready; echo word > "$0"', pipe], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  while (!/^State:\s+S/m.test(readFileSync(`/proc/${writer.pid}/status`, 'utf8'))) {
    await delay(5);
  }
  return writer;
}

async function askForAll(): Promise<void> {
  const resolver = new FileContextResolver({ workingDirectory: root, roots: [], allowSensitive: false, clock });
  const names = { files: ['link', 'link:1', 'd/pipe'], directories: ['.', 'd'], globPatterns: ['*', 'd/*'] };
  const limits = { maxFiles: 10, maxBytes: 1_000, deadlineAtMs: Number.MAX_SAFE_INTEGER };
  const { documents } = await resolver.resolve({ ...names, ...limits }, noAbort);
  expect(documents.map(({ path }) => path)).toEqual(['d/a.txt']);
  const complete = createPathCompleter({ workingDirectory: root, roots: [], clock });
  expect(await complete('', noAbort)).toEqual(['d/']);
}

describe.runIf(process.platform === 'linux')('a pipe in a root', () => {
  it.each(['d/pipe', 'd/.gitignore'])(
    'SWAP-05: is judged without being opened, even through a link: a program that waits at the other end of %s keeps waiting',
    async (name) => {
      const pipe = join(root, name);
      expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
      symlinkSync(name, join(root, 'link'));
      const writer = await startWriter(pipe);
      const ended = once(writer, 'close');
      try {
        await askForAll();
        // If the pipe had been opened, the word would be gone, and no other writer would come.
        const reader = spawnSync('cat', [pipe], { timeout: 10_000, encoding: 'utf8' });
        expect(reader.stdout).toBe('word\n');
      } finally {
        writer.kill('SIGKILL');
        await ended;
      }
    },
  );
});
