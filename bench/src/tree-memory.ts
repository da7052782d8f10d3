import { readdirSync, readFileSync } from 'node:fs';
import { residentMemory } from './resident-memory.ts';

/** Memory of a process and of all below it that lies in RAM now, in bytes; shared pages count for each. 0 without /proc. */
export function treeMemory(pid: number): number {
  const below = childrenOf(pid).reduce((sum, child) => sum + treeMemory(child), 0);
  return (residentMemory(pid)?.now ?? 0) + below;
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
