import { readdirSync, readFileSync } from 'node:fs';

/** All files of one test are in one directory, which every process of its runs has in its environment. Linux only. */
export function processesOf(root: string): readonly number[] {
  const ids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return ids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(root);
    } catch {
      return false;
    }
  });
}

/** Kills them all at once, as a crash does. */
export function killProcessesOf(root: string): void {
  for (const pid of processesOf(root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
