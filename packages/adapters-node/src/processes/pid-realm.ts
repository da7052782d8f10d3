import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { isShortage } from './system-shortage.ts';

let own: string | null | undefined;

/**
 * Names all processes that a process id means the same for as for this one: those of this boot of this machine, in this
 * namespace of process ids, which a container has for itself. Null on systems without such a thing. Throws where the system has
 * nothing left to look with.
 */
export function ownPidRealm(): string | null {
  own ??= readPidRealm();
  return own;
}

function readPidRealm(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 32);
  } catch (error) {
    if (isShortage(error)) {
      throw error;
    }
    return null;
  }
}
