/** Which system resource is exhausted, and who can do what about it. Each shortage ends when a program releases something. */
const shortages: ReadonlyMap<unknown, string> = new Map([
  [
    'EMFILE',
    'This program has no free file descriptors (EMFILE). Raise its limit (`ulimit -n`, LimitNOFILE= of systemd), or let fewer calls run at once.',
  ],
  ['ENFILE', 'This machine has no free file descriptors (ENFILE). Close programs, or raise fs.file-max.'],
  [
    'EAGAIN',
    'The system starts no more processes for this user (EAGAIN). End some, or raise the limit (`ulimit -u`, TasksMax= of systemd, the limit of processes of a container).',
  ],
  ['ENOMEM', 'The system has no memory left for this (ENOMEM). End other programs, or let fewer calls run at once.'],
  ['ENOBUFS', 'The system has no room left for buffers (ENOBUFS). End other programs, or let fewer calls run at once.'],
  ['ENOSPC', 'There is no space left on the disk of the state directory (ENOSPC). Make room there.'],
  [
    'EDQUOT',
    "This user's share of the disk is used up (EDQUOT). Make room in the state directory, or raise the quota.",
  ],
]);

/** Describes an error that means an exhausted system resource, with the remedy; null for any other error. */
export function describeShortage(error: unknown): string | null {
  return shortages.get(codeOf(error)) ?? null;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
