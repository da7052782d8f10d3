import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** One line for everything below a directory: its path, its kind, its mode bits, and its content or target. */
export async function listTree(root: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    const path = join(root, name);
    const stats = await lstat(path);
    const mode = stats.isSymbolicLink() ? '' : (stats.mode & 0o7777).toString(8);
    lines.push(`${JSON.stringify(name)} ${kindOf(stats)} ${mode} ${await contentOf(path, stats)}`.trim());
  }
  return lines;
}

/** One text for all of `listTree`: equal trees have equal digests. */
export async function digestTree(root: string): Promise<string> {
  return createHash('sha256')
    .update((await listTree(root)).join('\n'))
    .digest('hex');
}

type Stats = Awaited<ReturnType<typeof lstat>>;

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) {
    return 'link';
  }
  if (stats.isDirectory()) {
    return 'directory';
  }
  return stats.isFile() ? 'file' : 'other';
}

async function contentOf(path: string, stats: Stats): Promise<string> {
  if (stats.isSymbolicLink()) {
    return readlink(path);
  }
  return stats.isFile()
    ? createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
    : '';
}
