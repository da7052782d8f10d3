import { linkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextBundle } from '@gemini-mcp/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
import { FileContextResolver } from './file-context-resolver.ts';

const megabyte = 1_000_000;

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sliced-lines-')));
  writeFileSync(join(root, 'newlines.txt'), Buffer.alloc(20 * megabyte, '\n'));
  writeFileSync(join(root, 'one-line.txt'), Buffer.alloc(20 * megabyte, 'x'));
  writeFileSync(join(root, 'astral.txt'), Buffer.alloc(20 * megabyte, '\u{1f600}\n'));
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

function resolve(
  files: readonly string[],
  { signal = new AbortController().signal, timeoutMs = 60_000 } = {},
): Promise<ContextBundle> {
  const clock = new SystemClock();
  const resolver = new FileContextResolver({ workingDirectory: root, roots: [], allowSensitive: false, clock });
  const limits = { maxFiles: 500, maxBytes: 10 * megabyte, deadlineAtMs: clock.now() + timeoutMs };
  return resolver.resolve({ files, globPatterns: [], directories: [], ...limits }, signal);
}

/**
 * The share of the work's processor time in the longest turn of the event loop: close to 1 for work in one piece. Processor time excludes
 * other processes of the machine.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longestMs = 0;
  let last = process.cpuUsage();
  const look = (): void => {
    longestMs = Math.max(longestMs, processorMs(last));
    last = process.cpuUsage();
    if (!isDone) {
      setImmediate(look);
    }
  };
  setImmediate(look);
  const before = process.cpuUsage();
  await work();
  isDone = true;
  // The turn in which the work ended has not been measured.
  look();
  return longestMs / processorMs(before);
}

function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

describe('SHARE-03: lines of a file of 20 MB', () => {
  it.each([
    ['the first of newlines alone', 'newlines.txt:1', 1],
    ['the last of newlines alone', 'newlines.txt:20000000', 1],
    ['one after the end', 'newlines.txt:20000001', 0],
    ['the second of a single line', 'one-line.txt:2', 0],
    ['one among characters of four bytes', 'astral.txt:3000000', 1],
  ])('%s is found while others proceed', async (_, name, documents) => {
    let bundle: ContextBundle | undefined;
    const shares: number[] = [];
    // A garbage collection may fill one turn of one try; work in one piece fills a turn of each.
    for (let round = 0; round < 5; round += 1) {
      shares.push(
        await longestTurn(async () => {
          bundle = await resolve([name]);
        }),
      );
    }
    expect(bundle?.documents.length).toBe(documents);
    expect(Math.min(...shares)).toBeLessThan(0.5);
  });

  it('are not searched for after the deadline', async () => {
    const { leftOut } = await resolve(['newlines.txt:20000000'], { timeoutMs: 5 });
    expect(leftOut).toMatchObject([{ path: 'newlines.txt:20000000', reason: 'deadline' }]);
  });

  it('are not searched for after an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const resolving = resolve(['newlines.txt:20000000', 'one-line.txt:2'], { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(resolving).rejects.toBe(reason);
  });

  it('are searched for in a bounded number of bytes per call', async () => {
    writeFileSync(join(root, '0.txt'), Buffer.alloc(60 * megabyte, '\n'));
    const names = [0, 1, 2, 3, 4].map((copy) => `${copy}.txt`);
    for (const name of names.slice(1)) {
      linkSync(join(root, '0.txt'), join(root, name));
    }
    const { documents, leftOut } = await resolve(names.map((name) => `${name}:1`));
    expect(documents.map(({ path }) => path)).toEqual(['0.txt', '1.txt', '2.txt', '3.txt']);
    expect(leftOut).toMatchObject([{ path: '4.txt:1', reason: 'over-byte-limit' }]);
  });
});
