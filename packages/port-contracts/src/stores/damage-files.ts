import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordDamage } from './store-features.ts';

export type FilesToDamage = {
  readonly directory: string;
  /** The key of the record: it is in its files' paths below the directory, or in their texts. */
  readonly key: string;
  readonly damage: RecordDamage;
  readonly laterRecord: string;
};

/** Makes the files of a record unreadable. Throws if it has no files. */
export function damageFiles({ directory, key, damage, laterRecord }: FilesToDamage): void {
  const damages: Readonly<Record<RecordDamage, (path: string) => void>> = {
    truncated: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
    foreign: (path) => writeFileSync(path, '[]'),
    'later-format': (path) => writeFileSync(path, laterRecord),
  };
  for (const path of recordsOf(key, directory)) {
    damages[damage](path);
  }
}

/** Puts a file in the place of a directory, until the returned function is called. */
export function putFileInPlaceOf(directory: string): () => Promise<void> {
  const away = `${directory}.away`;
  renameSync(directory, away);
  writeFileSync(directory, '');
  return async () => {
    rmSync(directory);
    renameSync(away, directory);
  };
}

function recordsOf(key: string, directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = paths.filter((path) => path.slice(directory.length).includes(key));
  const found = named.length > 0 ? named : paths.filter((path) => readFileSync(path, 'utf8').includes(key));
  if (found.length === 0) {
    throw new Error(`no file below ${directory} has ${JSON.stringify(key)} in its path or its text`);
  }
  return found;
}
