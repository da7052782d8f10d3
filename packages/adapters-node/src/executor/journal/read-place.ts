import type { RealRoots } from '../../files/real-roots.ts';
import { openContents } from '../../state/open-contents.ts';
import { reachPlace } from './reach-place.ts';

/** The content of a file of that size; null for any other, and for what cannot be reached. Never rejects. */
export async function readPlace(path: string, roots: RealRoots, sizeBytes: number): Promise<Uint8Array | null> {
  const reached = await reachPlace(path, roots, (at) => readSized(at, sizeBytes)).catch(() => null);
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
