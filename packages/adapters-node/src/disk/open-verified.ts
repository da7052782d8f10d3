import { closeSync, fstatSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { canOpenPaths, openForReading, openPath, pathOfDescriptor, realPathOfDescriptor } from './descriptor-paths.ts';
import type { RealRoots } from './real-roots.ts';
import { type Refusal, toRefusal } from './refusal.ts';

/** How to find the path of a descriptor: from the kernel, or by resolving the path again. */
export type DescriptorProof = 'kernel-link' | 'second-look';

export type OpenFileRequest = {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly roots: Pick<RealRoots, 'contains'>;
  readonly proof: DescriptorProof;
  /** Whether the last name may be a link. Names before it may. */
  readonly followsLink: boolean;
  /** Paths below this directory are opened from it, even if its path leads elsewhere by now. Optional. */
  readonly base?: { pathOf(path: string): string } | undefined;
};

/** An open file or directory below a root. The caller closes the descriptor. */
export type Opened = {
  readonly ok: true;
  /** Readable for a file. For a directory it only marks the place: list its contents by a path that leads through it. */
  readonly descriptor: number;
  readonly realPath: string;
  readonly stats: Stats;
};

/** The best proof that this system offers. */
export function chooseDescriptorProof(): DescriptorProof {
  return canOpenPaths ? 'kernel-link' : 'second-look';
}

/**
 * Opens a path, verifies the open file, and reads only this descriptor, so exchanging a directory for a link in the meantime gains
 * nothing. A pipe or a device, even if reached through a link, is judged without being opened, because opening could wake or move something.
 *
 * With `second-look` a race remains: a link that is in place for the opening, away for one call and back for the next. Node offers nothing
 * better without /proc.
 */
export function openVerified(request: OpenFileRequest): Opened | Refusal {
  if (mayNotBeUtf8(request.path)) {
    return notUtf8;
  }
  try {
    return request.proof === 'kernel-link' ? openByKernelLink(request) : openWithSecondLook(request);
  } catch (error) {
    return toRefusal(error);
  }
}

/** Closes a descriptor that was only read from; a failure to close it has no consequence. */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // The descriptor is gone either way.
  }
}

function openByKernelLink(request: OpenFileRequest): Opened | Refusal {
  const path = request.base?.pathOf(request.path) ?? request.path;
  return (request.kind === 'file' ? openPlainFile(request, path) : null) ?? openJudged(request, path);
}

/**
 * The fast path for a path that looks like a regular file, as nearly all do: it saves 8 us each. Returns null for anything else. A pipe
 * that takes the file's place in between is opened without blocking and refused like any other.
 */
function openPlainFile(request: OpenFileRequest, path: string): Opened | Refusal | null {
  if (!lstatSync(path).isFile()) {
    return null;
  }
  const descriptor = openForReading(path, false);
  return verify(request, descriptor, () => realPathOfDescriptor(descriptor));
}

/** Opens only the place, which no pipe or device notices, judges it, then opens the contents of that very place. */
function openJudged(request: OpenFileRequest, path: string): Opened | Refusal {
  const place = openPath(path, request.followsLink);
  const found = verify(request, place, () => realPathOfDescriptor(place));
  if (!found.ok || request.kind === 'directory') {
    return found;
  }
  try {
    return { ...found, descriptor: openForReading(pathOfDescriptor(place)) };
  } finally {
    closeDescriptor(place);
  }
}

function openWithSecondLook(request: OpenFileRequest): Opened | Refusal {
  const { path, followsLink, roots, kind } = request;
  const before = realpathSync.native(path);
  if (!roots.contains(before)) {
    return { ok: false, reason: 'outside-roots' };
  }
  const unfit = judgeKind(kind, statSync(before));
  if (unfit !== null) {
    return unfit;
  }
  const descriptor = openForReading(followsLink ? before : path, followsLink);
  return verify(request, descriptor, () => {
    const opened = fstatSync(descriptor);
    const found = statSync(before);
    const isSame = realpathSync.native(before) === before && found.ino === opened.ino && found.dev === opened.dev;
    return isSame ? before : null;
  });
}

function verify(request: OpenFileRequest, descriptor: number, findRealPath: () => string | null): Opened | Refusal {
  let verdict: Opened | Refusal;
  try {
    const realPath = findRealPath();
    const stats = fstatSync(descriptor);
    verdict = judge(request, realPath, stats) ?? { ok: true, descriptor, realPath: realPath ?? '', stats };
  } catch (error) {
    verdict = toRefusal(error);
  }
  if (!verdict.ok) {
    closeDescriptor(descriptor);
  }
  return verdict;
}

function judge({ roots, kind }: OpenFileRequest, realPath: string | null, stats: Stats): Refusal | null {
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

const notUtf8: Refusal = { ok: false, reason: 'unreadable', detail: 'a path that is not valid UTF-8' };

/** Invalid UTF-8 decodes to U+FFFD: two such paths may look the same, and neither can be told apart from a root. */
function mayNotBeUtf8(path: string): boolean {
  return path.includes('\uFFFD');
}

function judgeKind(kind: OpenFileRequest['kind'], stats: Stats): Refusal | null {
  if (stats.isSymbolicLink()) {
    return { ok: false, reason: 'unreadable', detail: 'ELOOP' };
  }
  if (kind === 'file') {
    return judgeFile(stats);
  }
  return stats.isDirectory() ? null : { ok: false, reason: 'not-a-directory', detail: describeKind(stats) };
}

function judgeFile(stats: Stats): Refusal | null {
  if (stats.isDirectory()) {
    return { ok: false, reason: 'is-a-directory' };
  }
  return stats.isFile() ? null : { ok: false, reason: 'not-a-file', detail: describeKind(stats) };
}

function describeKind(stats: Stats): string {
  return stats.isFile() ? 'a file' : 'a pipe, socket or device';
}
