import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunSweeper } from './run-sweeper.ts';

/** Each round kills at another moment. */
const rounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 6);

/** A server that only creates and removes runs. Its memory of them dies with it. */
const program = `
  import { createRunDirectory } from './run-directory.ts';

  const [runsDirectory, holds] = process.argv.slice(2);
  for (;;) {
    const directory = await createRunDirectory(runsDirectory);
    await directory.write([{ path: 'a/b/c.txt', content: 'x' }, { path: 'd.txt', content: 'y' }]);
    process.stdout.write('.');
    if (holds === 'holds') {
      // Until it is killed: its input has no end.
      await new Promise((resolve) => process.stdin.once('end', resolve).resume());
    }
    await directory.remove();
  }
`;

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'run-kills-'));
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: join(root, 'program.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@gemini-mcp/source'],
  });
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

it(`STATE-02: clears all runs within a minute after a server is killed while creating and removing them (${rounds} rounds)`, async () => {
  const runsDirectory = join(root, 'runs');
  let leftOnce = 0;
  for (let round = 0; round < rounds; round += 1) {
    // The first one is killed while its run exists, the others at any moment.
    const holds = round === 0 ? 'holds' : '';
    const child = spawn(process.execPath, [join(root, 'program.mjs'), runsDirectory, holds], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for (let runs = 0; runs <= round; runs += 1) {
      await once(child.stdout, 'data');
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    let nowMs = 0;
    const next = new RunSweeper({ runsDirectory, release: () => undefined, nowMs: () => nowMs });
    leftOnce += (await readdir(runsDirectory)).length;
    await next.sweep();
    nowMs = 40_000;
    await next.sweep();
    expect(await readdir(runsDirectory)).toEqual([]);
  }
  expect(leftOnce).toBeGreaterThan(0);
});
