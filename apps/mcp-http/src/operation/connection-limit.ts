import { readFileSync } from 'node:fs';

export type ConnectionLimitOptions = {
  /** As configured. */
  readonly maxConnections: number;
  /** How many calls may run at once. */
  readonly maxRunning: number;
  /** How many file descriptors this process may have; null where that is not known. */
  readonly maxDescriptors: number | null;
};

/** For the log, the stores, kept processes, the keys of an issuer, and what Node itself holds. */
const ownDescriptors = 64;

/** Pipes of a process that is being started, and files that are read or copied meanwhile. */
const descriptorsPerCall = 16;

/** With fewer the server could not be used. */
const fewestConnections = 8;

/**
 * How many connections may be open at once, so that they leave the descriptors that calls need: anybody can open connections
 * (SYSTEM-01, few-descriptors.test.ts).
 */
export function limitConnections({ maxConnections, maxRunning, maxDescriptors }: ConnectionLimitOptions): number {
  if (maxDescriptors === null) {
    return maxConnections;
  }
  const room = maxDescriptors - ownDescriptors - maxRunning * descriptorsPerCall;
  return Math.min(maxConnections, Math.max(room, fewestConnections));
}

/** How many descriptors this process may have; null where the system does not tell, or sets no limit. */
export function readDescriptorLimit(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) || null;
  } catch {
    return null;
  }
}
