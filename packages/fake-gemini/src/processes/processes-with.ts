import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the live processes with this word in their environment or arguments. Empty without /proc. */
export function processesWith(word: string): readonly number[] {
  return processIds().filter((pid) => read(pid, 'environ').includes(word) || read(pid, 'cmdline').includes(word));
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended. */
function read(pid: number, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
