import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { judgeWrite } from '@gemini-mcp/core/internal';
import { isSensitivePath } from '../../../files/sensitive-names.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/** What of a project a command must not change, and what it must not read. Absolute paths. */
export type GuardedPlaces = {
  readonly guarded: readonly string[];
  readonly masked: readonly CoveredPath[];
};

/** More entries than most projects have without what they install; a larger one is looked at from its top downwards. */
const maxEntries = 50_000;

/** More places than a project has; each is one more mount. */
const maxPlaces = 1_000;

/** What others made: it holds thousands of directories, and no settings that this project's programs obey. */
const passedOver: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  'target',
  '.yarn',
  '.cache',
]);

/**
 * Looks through a directory for what is there of protected names and of secrets, level by level up to a bound. A name that is a link is
 * passed over, since nothing can be laid over a link: where it leads within the project is found by itself. Never rejects.
 */
export async function findGuarded(root: string): Promise<GuardedPlaces> {
  const found: Found = { guarded: [], masked: [] };
  let level: readonly string[] = [root];
  let seen = 0;
  while (level.length > 0 && seen < maxEntries && found.guarded.length + found.masked.length < maxPlaces) {
    const deeper: string[] = [];
    for (const directory of level) {
      const entries = await entriesOf(directory);
      seen += entries.length;
      deeper.push(...entries.filter((entry) => !sortOut(entry, directory, { root, found })).map(pathOf(directory)));
    }
    level = deeper;
  }
  return { guarded: found.guarded.slice(0, maxPlaces), masked: found.masked.slice(0, maxPlaces) };
}

type Found = { readonly guarded: string[]; readonly masked: CoveredPath[] };

function pathOf(directory: string): (entry: Dirent) => string {
  return ({ name }) => join(directory, name);
}

/** Whether nothing is to be looked for below an entry: what is guarded itself is noted. */
function sortOut(entry: Dirent, directory: string, { root, found }: { root: string; found: Found }): boolean {
  const kind = kindOf(entry);
  if (kind === null) {
    return true;
  }
  const path = join(directory, entry.name);
  const verdict = judge(relative(root, path));
  if (verdict === 'secret') {
    found.masked.push({ path, kind });
  }
  if (verdict === 'protected') {
    found.guarded.push(path);
  }
  return verdict !== 'open' || kind === 'file' || passedOver.has(entry.name);
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}

function kindOf(entry: Dirent): CoveredPath['kind'] | null {
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isFile() ? 'file' : null;
}

/** Programs need it although it is nothing for a model to read: without it there is no repository. */
const repository = '.git';

/** A secret is also protected: what cannot be read cannot be written either. */
function judge(path: string): 'open' | 'protected' | 'secret' {
  const plain = path.split(sep).join('/');
  if (basename(path) !== repository && isSensitivePath(plain)) {
    return 'secret';
  }
  return judgeWrite({ path: plain, isSensitive: () => false }).decision === 'deny' ? 'protected' : 'open';
}
