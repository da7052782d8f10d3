import { dirname } from 'node:path';
import { openContents } from '../../disk/durable/open-contents.ts';
import { HeldDirectory } from '../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../disk/open-verified.ts';
import type { RealRoots } from '../../disk/real-roots.ts';

const proof = chooseDescriptorProof();

export type Reached<Result> =
  | { readonly reached: true; readonly value: Result }
  /** `isMissing`: the directory that it would lie in is not there. `reason` is a sentence. */
  | { readonly reached: false; readonly isMissing: boolean; readonly reason: string };

/**
 * Holds the directory of a path open while `act` works on the path, so that no link that takes the place of a directory leads anywhere else.
 * `act` is given a path that leads through what is open. A root is held open itself.
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

const missing = 'The directory that it lay in is not there any more.';
const outside = 'The way to it leads over a link now, or out of the directories of the run.';

/** The content of a file of that size; null for any other, and for what cannot be reached. Never rejects. */
export async function readPlace(path: string, roots: RealRoots, sizeBytes: number): Promise<Uint8Array | null> {
  const reached = await openParent(path, roots, (at) => readSized(at, sizeBytes)).catch(() => null);
  return reached?.reached === true ? reached.value : null;
}

/** As `readPlace`, for a path that was reached already. Rejects where the system refuses. */
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
