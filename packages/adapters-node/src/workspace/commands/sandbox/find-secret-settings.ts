import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';
import type { CoveredPath } from './sandbox-view.ts';

/** Files in the system's own places that no command needs: settings with tokens, and the names of the keys in the user's keyrings. */
export function findMachineSecrets(): readonly CoveredPath[] {
  const keyrings = ['/proc/keys', '/proc/key-users'].filter((path) => existsSync(path));
  return [
    ...['/usr/etc', '/usr/local/etc'].flatMap(findSecretSettings),
    ...keyrings.map((path) => ({ path, kind: 'file' }) as const),
  ];
}

/**
 * Settings below a directory that may hold secrets, judged by their names: a machine's have the names of a user's without the dot
 * (`npmrc`). Real paths. Never throws: a command cannot read what cannot be read here.
 */
export function findSecretSettings(directory: string): readonly CoveredPath[] {
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (isSensitivePath(entry.name) || isSensitivePath(`.${entry.name}`)) {
      return coveredPathOf(path);
    }
    return entry.isDirectory() ? findSecretSettings(path) : [];
  });
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function coveredPathOf(path: string): readonly CoveredPath[] {
  try {
    const real = realpathSync(path);
    return [{ path: real, kind: statSync(real).isDirectory() ? 'directory' : 'file' }];
  } catch {
    return [];
  }
}
