import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { boundPatternsPiece } from './bound-patterns.ts';
import { buildPreload, withPreload } from './preload.ts';

type Clocks = {
  /** What the clock moves on each time that it is looked at, and what the process uses of the processor meanwhile. */
  readonly passingMs: number;
  readonly usingMs: number;
};

/** How many of these matches, of one expression after the other, a process allows whose clocks go so. */
async function countAllowed(source: string, { passingMs, usingMs }: Clocks, matches: number): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'bound-patterns-'));
  try {
    const { path, content } = buildPreload([boundPatternsPiece()]);
    await writeFile(join(root, path), content);
    const script = `
      let passed = 0;
      let used = 0;
      performance.now = () => { used += ${usingMs}; return (passed += ${passingMs}); };
      process.cpuUsage = () => ({ user: used * 1_000, system: 0 });
      const expression = new RegExp(${JSON.stringify(source)});
      let allowed = 0;
      for (let match = 0; match < ${matches}; match += 1) {
        try { allowed += Number(expression.test('one two')); } catch {}
      }
      console.log(allowed);`;
    await writeFile(join(root, 'script.js'), script);
    const plain = { file: process.execPath, arguments: [join(root, 'script.js')] };
    const { file, arguments: words } = withPreload(plain, root);
    return Number((await promisify(execFile)(file, [...words])).stdout);
  } finally {
    await rm(root, { recursive: true });
  }
}

describe.each([
  ['that is quick', '^one'],
  ['that is watched', '^(?:(?:(?:o+)+n+)+e+)+ (?:(?:(?:t+)+w+)+o+)+$'],
])('an expression %s', (_, source) => {
  it('may go on where the machine is busy with others', async () => {
    expect(await countAllowed(source, { passingMs: 20, usingMs: 0.001 }, 100)).toBe(100);
  });

  it('is stopped where it takes the processor itself', async () => {
    expect(await countAllowed(source, { passingMs: 20, usingMs: 20 }, 100)).toBeLessThan(30);
  });

  it('is not stopped for one match that the machine has slept through', async () => {
    expect(await countAllowed(source, { passingMs: 3_000, usingMs: 0 }, 3)).toBe(3);
  });
});
