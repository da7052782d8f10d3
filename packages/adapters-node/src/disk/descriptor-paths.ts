import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';

/** O_PATH of Linux, which Node does not name. Opens a place without its contents: a pipe or device does not notice. */
const pathFlag = 0o10000000;

// Not blocking on a pipe without a writer; not becoming the terminal's process. Windows has none of these.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Whether the kernel tells where a descriptor leads, and opens places without their contents. */
export const canOpenPaths: boolean = process.platform === 'linux' && canOpenPath();

/** Linux alone. A link that is not followed is itself the place. */
export function openPath(path: string, followsLink: boolean): number {
  return openSync(path, followsLink ? pathFlag : pathFlag | constants.O_NOFOLLOW);
}

/** Opens a file for reading. Never blocks. */
export function openForReading(path: string, followsLink = true): number {
  return openSync(path, followsLink ? readFlags : readFlags | constants.O_NOFOLLOW);
}

/** A path that leads to what is open, wherever that lies by now. Linux alone. */
export function pathOfDescriptor(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Where the kernel says that a descriptor leads now, without links. Linux alone. */
export function realPathOfDescriptor(descriptor: number): string {
  return readlinkSync(pathOfDescriptor(descriptor));
}

function canOpenPath(): boolean {
  try {
    const descriptor = openPath('/', false);
    const isTold = existsSync(pathOfDescriptor(descriptor)) && realPathOfDescriptor(descriptor) === '/';
    closeSync(descriptor);
    return isTold;
  } catch {
    // /proc is not mounted, or a sandbox knows no such flag.
    return false;
  }
}
