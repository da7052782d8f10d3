import { opendir } from 'node:fs/promises';
import { absentUnlessShort } from '../../process/system-shortage.ts';

/** More versions than anybody keeps; a directory with more entries is something else. */
const maxEntries = 200;

/** The names in a directory that holds one directory for each version, the newest version first; none where it is missing. */
export async function listNewestFirst(directory: string): Promise<readonly string[]> {
  const entries = await opendir(directory).catch(absentUnlessShort);
  const names: string[] = [];
  for await (const { name } of entries ?? []) {
    names.push(name);
    if (names.length === maxEntries) {
      break;
    }
  }
  return names.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}
