import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import type { AllowedRoots } from './allowed-roots.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** How to learn where a descriptor leads: from the kernel, or by asking for the path again. */
export type DescriptorProof = 'kernel-link' | 'second-look';

export type OpenRequest = {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly roots: AllowedRoots;
  readonly proof: DescriptorProof;
  /** Whether the last name may be a link. Names before it may. */
  readonly followsLink: boolean;
};

/** Something that is open and lies below a root. The caller closes the descriptor. */
export type Opened = {
  readonly ok: true;
  readonly descriptor: number;
  readonly realPath: string;
  readonly stats: Stats;
};

/** What this system offers. */
export function chooseDescriptorProof(): DescriptorProof {
  return existsSync('/proc/self/fd') ? 'kernel-link' : 'second-look';
}

/**
 * Opens first, and then verifies what was opened: whoever swaps a directory for a link meanwhile gains nothing, because
 * only this descriptor is read.
 *
 * With `second-look` a race remains: a link that is in place for the opening, away for one call and back for the next.
 * Node offers nothing better without /proc.
 */
export function openVerified(request: OpenRequest): Opened | Refusal {
  if (mayNotBeUtf8(request.path)) {
    return notUtf8;
  }
  try {
    return request.proof === 'kernel-link' ? openByKernelLink(request) : openWithSecondLook(request);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Closes a descriptor that was only read from: a failure to do so means nothing to anybody. */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // Gone either way.
  }
}

// Not blocking on a pipe that nobody writes to; not becoming the terminal's process. Windows has none of these.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function open(path: string, followsLink: boolean): number {
  return openSync(path, followsLink ? readFlags : readFlags | constants.O_NOFOLLOW);
}

function openByKernelLink(request: OpenRequest): Opened | Refusal {
  return verify(request, open(request.path, request.followsLink), (descriptor) =>
    readlinkSync(`/proc/self/fd/${descriptor}`),
  );
}

function openWithSecondLook(request: OpenRequest): Opened | Refusal {
  const before = realpathSync.native(request.path);
  if (!request.roots.contains(before)) {
    return { ok: false, reason: 'outside-roots' };
  }
  return verify(request, open(request.followsLink ? before : request.path, request.followsLink), (descriptor) => {
    const opened = fstatSync(descriptor);
    const found = statSync(before);
    const isSame = realpathSync.native(before) === before && found.ino === opened.ino && found.dev === opened.dev;
    return isSame ? before : null;
  });
}

function verify(
  request: OpenRequest,
  descriptor: number,
  findRealPath: (descriptor: number) => string | null,
): Opened | Refusal {
  let verdict: Opened | Refusal;
  try {
    const realPath = findRealPath(descriptor);
    const stats = fstatSync(descriptor);
    verdict = judge(request, realPath, stats) ?? { ok: true, descriptor, realPath: realPath ?? '', stats };
  } catch (error) {
    verdict = refusalOf(error);
  }
  if (!verdict.ok) {
    closeDescriptor(descriptor);
  }
  return verdict;
}

function judge({ roots, kind }: OpenRequest, realPath: string | null, stats: Stats): Refusal | null {
  if (realPath === null) {
    return { ok: false, reason: 'unreadable', detail: 'moved while it was being opened' };
  }
  if (!roots.contains(realPath)) {
    return { ok: false, reason: 'outside-roots' };
  }
  if (mayNotBeUtf8(realPath)) {
    return notUtf8;
  }
  if (stats.nlink === 0) {
    return { ok: false, reason: 'not-found', detail: 'deleted while it was being opened' };
  }
  return judgeKind(kind, stats);
}

const notUtf8: Refusal = { ok: false, reason: 'unreadable', detail: 'a path that is not UTF-8' };

/** Bytes that are no UTF-8 all read as U+FFFD: two such paths may look the same, and none can be told from a root. */
function mayNotBeUtf8(path: string): boolean {
  return path.includes('\uFFFD');
}

function judgeKind(kind: OpenRequest['kind'], stats: Stats): Refusal | null {
  if (kind === 'file') {
    return stats.isFile() ? null : { ok: false, reason: 'not-a-file', detail: describeKind(stats) };
  }
  return stats.isDirectory() ? null : { ok: false, reason: 'not-a-directory', detail: describeKind(stats) };
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) {
    return 'a directory';
  }
  return stats.isFile() ? 'a file' : 'a pipe, socket or device';
}
