import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestUser } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';

const exchange = fileURLToPath(new URL('../../../../fake-gemini/bin/swap-places.c', import.meta.url));

/**
 * Bundles a program of this directory and runs it as a user. Its arguments are a directory of that user's and the task as JSON; the directory
 * above holds `exchange`, which exchanges what lies at pairs of paths. Resolves to what the program printed, read as JSON.
 */
export async function runAttack(
  program: 'mount-race-program' | 'random-trees-program',
  user: TestUser,
  task: unknown,
): Promise<unknown> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'attack-')));
  try {
    const work = join(base, 'work');
    mkdirSync(work, { mode: 0o700 });
    chownSync(work, user.id, user.id);
    chmodSync(base, 0o755);
    await build({
      entryPoints: [join(import.meta.dirname, `${program}.ts`)],
      outfile: join(base, 'program.mjs'),
      ...{ bundle: true, platform: 'node', format: 'esm', conditions: ['@gemini-mcp/source'], logLevel: 'error' },
    });
    execFileSync('cc', ['-O2', '-pthread', '-o', join(base, 'exchange'), exchange]);
    chmodSync(join(base, 'program.mjs'), 0o644);
    const child = spawn(process.execPath, [join(base, 'program.mjs'), work, JSON.stringify(task)], {
      cwd: base,
      env: { PATH: '/usr/bin:/bin', HOME: work },
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(user.id !== process.getuid?.() && { uid: user.id, gid: user.id }),
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return JSON.parse(said);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
