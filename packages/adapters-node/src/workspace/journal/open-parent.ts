import { dirname } from 'node:path';
import { openContents } from '../../disk/durable/open-contents.ts';
import { HeldDirectory } from '../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../disk/open-verified.ts';
import type { RealRoots } from '../../disk/real-roots.ts';

const proof = chooseDescriptorProof();

export type Reached<Result> =
  | { readonly reached: true; readonly value: Result }
  /** `isMissing`: its parent directory is missing. `reason` is a sentence. */
  | { readonly reached: false; readonly isMissing: boolean; readonly reason: string };

/**
 * Holds a path's directory open while `act` works on the path, so that a link in the place of a directory has no effect. Passes `act` a
 * path that leads through the open directory. Holds a root itself open.
 */
export async function openParent<Result>(
  path: string,
  roots: RealRoots,
  act: (at: string) => Promise<Result>,
): Promise<Reached<Result>> {
  if (!roots.contains(path)) {
    return { reached: false, isMissing: false, reason: outside };
  }
  const isRoot = !roots.contains(dirname(path));
  const held = HeldDirectory.open({ path: isRoot ? path : dirname(path), roots, proof });
  if (!(held instanceof HeldDirectory)) {
    const isMissing = held.reason === 'not-found' || held.reason === 'not-a-directory';
    return { reached: false, isMissing, reason: isMissing ? missing : outside };
  }
  try {
    return { reached: true, value: await act(held.pathOf(path)) };
  } finally {
    held.release();
  }
}

const missing = 'Its directory no longer exists.';
const outside = 'Its path now leads through a link, or out of the directories of the run.';

/** The content of a file of that size; null for any other file, and for an unreachable one. Never rejects. */
export async function readPlace(path: string, roots: RealRoots, sizeBytes: number): Promise<Uint8Array | null> {
  const reached = await openParent(path, roots, (at) => readSized(at, sizeBytes)).catch(() => null);
  return reached?.reached === true ? reached.value : null;
}

/** Like `readPlace`, for a path that was already reached. Rejects if the system refuses. */
export async function readSized(at: string, sizeBytes: number): Promise<Uint8Array | null> {
  const file = await openContents(at);
  if (file === null || 'reason' in file) {
    return null;
  }
  try {
    const stats = await file.stat();
    const bytes = Buffer.alloc(sizeBytes);
    const { bytesRead } = stats.isFile() ? await file.read(bytes, 0, sizeBytes, 0) : { bytesRead: -1 };
    return bytesRead === sizeBytes ? bytes : null;
  } finally {
    await file.close();
  }
}
