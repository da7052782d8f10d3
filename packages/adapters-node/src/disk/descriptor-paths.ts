import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';

/** Linux O_PATH, which Node does not export. Opens a place without its contents, so a pipe or device does not notice. */
const pathFlag = 0o10000000;

// Never block on a pipe without a writer; never become the controlling terminal's process. Windows has neither flag.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Whether the kernel reports the path of a descriptor and opens places without their contents. */
export const canOpenPaths: boolean = process.platform === 'linux' && canOpenPath();

/** Linux only. A link that is not followed is opened itself. */
export function openPath(path: string, followsLink: boolean): number {
  return openSync(path, followsLink ? pathFlag : pathFlag | constants.O_NOFOLLOW);
}

/** Opens a file for reading. Never blocks. */
export function openForReading(path: string, followsLink = true): number {
  return openSync(path, followsLink ? readFlags : readFlags | constants.O_NOFOLLOW);
}

/** A path that leads to the open file, wherever it has moved. Linux only. */
export function pathOfDescriptor(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** The present path of an open file according to the kernel, without links. Linux only. */
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
    // /proc is not mounted, or a sandbox does not support the flag.
    return false;
  }
}
