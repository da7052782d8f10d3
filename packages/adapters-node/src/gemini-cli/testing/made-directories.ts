import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeminiRunnerHarness } from '@gemini-mcp/port-contracts';

export type MadeDirectories = NonNullable<GeminiRunnerHarness['directories']> & {
  readonly remove: () => Promise<void>;
};

/** Directories that a tested runner may pass on, outside its own. */
export async function makeDirectories(): Promise<MadeDirectories> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'given-directories-')));
  const outer = join(root, 'given');
  const inner = join(outer, 'inner');
  const other = join(root, 'given-too');
  await mkdir(inner, { recursive: true });
  const forbidden = join(root, 'forbidden');
  await mkdir(other);
  await mkdir(forbidden);
  await writeFile(join(inner, 'a.txt'), 'a');
  return { outer, inner, other, forbidden, remove: () => rm(root, { recursive: true }) };
}
