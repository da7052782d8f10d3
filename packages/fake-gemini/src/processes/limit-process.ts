import { readdir, stat } from 'node:fs/promises';
import { execa } from 'execa';

/**
 * Limits how much a running process may open (`nofile`) or start (`nproc`) from now on, whatever it holds already. Its owner may do that
 * without privileges; root becomes that owner, because a container's root may not limit others. Linux only.
 */
export async function limitProcess(pid: number, resource: 'nofile' | 'nproc', limit: number): Promise<void> {
  const { uid, gid } = await stat(`/proc/${pid}`);
  const becomeOwner =
    uid === process.getuid?.() ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const [file = '', ...words] = [...becomeOwner, 'prlimit', `--pid=${pid}`, `--${resource}=${limit}:`];
  await execa(file, words);
}

/** The `nofile` limit that lets a process open exactly this many more files. */
export async function limitWithFree(pid: number, free: number): Promise<number> {
  const open = new Set((await readdir(`/proc/${pid}/fd`)).map(Number));
  let limit = 0;
  for (let left = free; left > 0 || open.has(limit); limit += 1) {
    left -= open.has(limit) ? 0 : 1;
  }
  return limit;
}
