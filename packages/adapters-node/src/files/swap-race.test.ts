import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextSelection } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseDescriptorProof } from '../disk/open-verified.ts';
import { SystemClock } from '../processes/system-clock.ts';
import { FileContextResolver } from './file-context-resolver.ts';

/** Swaps a directory and a link as fast as it can. */
const swapper = `
  const { renameSync } = require('node:fs');
  const [place, aside, link] = process.argv.slice(1);
  const swap = () => {
    for (let round = 0; round < 200; round += 1) {
      renameSync(place, aside);
      renameSync(link, place);
      renameSync(place, link);
      renameSync(aside, place);
    }
    setImmediate(swap);
  };
  process.stdout.write('ready');
  swap();
`;

const reads = Number(process.env['GEMINI_MCP_RACE_READS'] ?? 1_000);

// On other systems a race remains, as open-verified.ts explains.
describe.runIf(chooseDescriptorProof() === 'kernel-link')('a directory that is swapped for a link to outside', () => {
  let base: string;
  let child: ChildProcess;
  let resolver: FileContextResolver;

  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'swap-')));
    const root = join(base, 'root');
    mkdirSync(join(root, 'd'), { recursive: true });
    mkdirSync(join(base, 'out'));
    writeFileSync(join(root, 'd/f'), 'inside');
    writeFileSync(join(base, 'out/f'), 'CANARY');
    writeFileSync(join(base, 'out/CANARY-NAME'), '');
    symlinkSync('../out', join(root, 'link'));
    resolver = new FileContextResolver({
      workingDirectory: root,
      roots: [],
      allowSensitive: false,
      clock: new SystemClock(),
    });
    child = spawn(process.execPath, ['-e', swapper, join(root, 'd'), join(root, 'aside'), join(root, 'link')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout ?? child, 'data');
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
    rmSync(base, { recursive: true, force: true });
  });

  /** Everything that many calls returned. The machine decides how many of them hit the middle of an exchange. */
  async function race(fields: Partial<ContextSelection>, calls: number): Promise<readonly string[]> {
    const all = new Set<string>();
    for (let call = 0; call < calls; call += 1) {
      const bundle = await resolver.resolve(
        {
          files: [],
          globPatterns: [],
          directories: [],
          maxFiles: 10,
          maxBytes: 1_000,
          deadlineAtMs: Number.MAX_SAFE_INTEGER,
          ...fields,
        },
        new AbortController().signal,
      );
      all.add(JSON.stringify(bundle));
    }
    return [...all];
  }

  it('PATH-07: of many reads, no read returns a file from outside', { timeout: 600_000 }, async () => {
    const all = await race({ files: ['d/f'] }, reads);
    expect(all.filter((text) => text.includes('CANARY'))).toEqual([]);
  });

  it('PATH-07: of many walks, no walk reports a name from outside', { timeout: 600_000 }, async () => {
    const all = await race({ directories: ['d'], globPatterns: ['d/*', '*/f'] }, reads / 5);
    expect(all.filter((text) => text.includes('CANARY'))).toEqual([]);
  });
});
