import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { isShortage } from './system-shortage.ts';

let own: string | null | undefined;

/**
 * Identifies the processes for which a process id means the same as for this one: those of the same boot of the same machine, in the same
 * PID namespace (a container has its own). Null on systems without such namespaces. Throws if the system is out of resources.
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
