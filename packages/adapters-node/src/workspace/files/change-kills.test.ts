import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FilesPlace } from '../testing/files-place.ts';

/** Each round kills at another moment. */
const rounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 6);

/** A run that only changes two files back and forth. */
const program = `
  import { SystemClock } from '../../processes/system-clock.ts';
  import { NodeWorkspace } from '../node-workspace.ts';

  const [root] = process.argv.slice(2);
  const journal = { record: async () => undefined };
  const places = { workingDirectory: root, roots: [root], privateDirectories: [] };
  const files = new NodeWorkspace({ ...places, mode: 'edit', journal, clock: new SystemClock(), record: null });
  const never = new AbortController().signal;
  const bodies = ['a', 'b'].map((letter) => (letter.repeat(99) + '\\n').repeat(10_000));
  for (let firstLine = 1, total = 1; firstLine <= total; ) {
    const { value } = await files.viewFile({ path: 'put.txt', firstLine }, never);
    [firstLine, total] = [value.lastLine + 1, value.totalLines];
  }
  for (let round = 0; ; round += 1) {
    const put = await files.putFile({ path: 'put.txt', content: bodies[round % 2] }, never);
    const made = await files.putFile({ path: 'new/' + round + '.txt', content: bodies[round % 2] }, never);
    if (!put.ok || !made.ok) {
      throw new Error(JSON.stringify([put, made]));
    }
    process.stdout.write('.');
  }
`;

let place: FilesPlace;

beforeEach(() => {
  place = new FilesPlace();
});

afterEach(() => place.remove());

it(`TOOLS-04: leaves each file complete, old or new, whenever a run is killed (${rounds} rounds)`, async () => {
  const outfile = join(place.base, 'program.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname, loader: 'ts' as const };
  const conditions = ['@gemini-mcp/source'];
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', conditions });
  const whole = ['a', 'b'].map((letter) => `${letter.repeat(99)}\n`.repeat(10_000));
  writeFileSync(join(place.root, 'put.txt'), whole[0] ?? '');
  chmodSync(join(place.root, 'put.txt'), 0o640);
  for (let round = 0; round < rounds; round += 1) {
    rmSync(join(place.root, 'new'), { recursive: true, force: true });
    const child = spawn(process.execPath, [outfile, place.root], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    // Some turns of the event loop later, a different number each time.
    for (let turns = 0; turns < round * 40; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    const written = readdirSync(place.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name, parentPath } of written.filter((entry) => !entry.name.startsWith('.gemini-mcp-'))) {
      expect(whole.includes(readFileSync(join(parentPath, name), 'utf8'))).toBe(true);
    }
    expect(lstatSync(join(place.root, 'put.txt')).mode & 0o777).toBe(0o640);
  }
}, 300_000);
