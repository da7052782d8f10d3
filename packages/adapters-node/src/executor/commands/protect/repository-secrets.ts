import { createHash } from 'node:crypto';
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { redactGitConfig } from '@gemini-mcp/core/internal';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/** More than a repository has with all its submodules. */
const maxEntries = 5_000;
const maxConfigBytes = 1_048_576;

const configs: ReadonlySet<string> = new Set(['config', 'config.worktree']);

/** Keys of programs that keep them in the directory of a repository. */
const secretPlaces = [join('annex', 'creds'), 'git-crypt'];

/** Directories of a repository that hold neither settings nor the repositories of submodules. */
const passedOver: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs', 'rr-cache']);

/**
 * Finds in the directories of repositories what lets somebody in elsewhere. Settings with such a secret are shown to commands without it, from a copy
 * in `runDirectory`; files of credentials cannot be read. Throws if a copy cannot be written.
 */
export function findRepositorySecrets(repositories: readonly string[], runDirectory: string): readonly CoveredPath[] {
  return repositories.flatMap((repository) => {
    const secrets = secretPlaces.map((place) => join(repository, place)).filter(isDirectory);
    return [
      ...secrets.map((path) => ({ path, kind: 'directory' as const })),
      ...filesOf(repository).flatMap((path) => coverOf(path, runDirectory)),
    ];
  });
}

/** Settings and credentials of a repository, of its worktrees and of its submodules, however deep those are named. */
function filesOf(repository: string): readonly string[] {
  const found: string[] = [];
  const waiting = [repository];
  let room = maxEntries;
  for (const directory of waiting) {
    const entries = entriesOf(directory).slice(0, Math.max(0, room));
    room -= entries.length;
    const isTop = directory === repository;
    const files = entries.filter((entry) => entry.isFile() && secretFile.test(entry.name));
    const deeper = entries.filter((entry) => entry.isDirectory() && leadsOn(entry.name, isTop));
    found.push(...files.map(({ name }) => join(directory, name)));
    waiting.push(...deeper.map(({ name }) => join(directory, name)));
  }
  return found;
}

const secretFile = /^config(?:\.worktree)?$|credential/i;

function leadsOn(name: string, isTop: boolean): boolean {
  return isTop ? name === 'modules' || name === 'worktrees' : !passedOver.has(name);
}

function coverOf(path: string, runDirectory: string): readonly CoveredPath[] {
  const kind = 'file';
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!configs.has(basename(path)) || (stats !== undefined && stats.size > maxConfigBytes)) {
    return [{ path, kind }];
  }
  const text = readText(path);
  const shown = text === null ? null : redactGitConfig(text);
  if (text === null || shown === null || shown === text) {
    return [];
  }
  const file = join(runDirectory, `settings-${createHash('sha256').update(`${path}\0${shown}`).digest('hex')}`);
  if (!existsSync(file)) {
    writeFileSync(file, shown, { encoding: 'latin1', mode: 0o600 });
  }
  return [{ path, kind, file }];
}

/** Byte by byte, so that nothing else is changed. Null for what a command cannot read either. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
