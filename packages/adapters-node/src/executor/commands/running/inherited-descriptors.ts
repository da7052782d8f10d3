import { readdirSync, readFileSync } from 'node:fs';

const closesOnStart = 0o2_000_000;

let known: readonly number[] | undefined;

/**
 * Descriptors that the program that started this one left open, and that every program started here gets as well: Node marks only those with low numbers
 * to be closed. One may be of a directory, by which a program reaches all that lies below it.
 */
export function inheritedDescriptors(): readonly number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
  return known;
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closesOnStart) === 0;
  } catch {
    return false;
  }
}
