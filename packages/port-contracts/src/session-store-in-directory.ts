import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session, SessionStore } from '@gemini-mcp/core';
import { makeTemporaryDirectory } from './make-temporary-directory.ts';
import type { SessionStoreContractOptions } from './session-store.contract.ts';
import type { SessionDamage, SessionStorePlace } from './session-store-harness.ts';

export type SessionFilesOptions = {
  /** What a later version of the store could leave as a record. Where it is missing, no later formats are declared. */
  readonly laterRecord?: string;
};

/**
 * The harness of a store that keeps each session in files of its own: each test gets a directory, which is removed afterwards.
 * To break writing, a file takes the place of the directory; to damage a session, all files are damaged whose path has its id in
 * it, or else whose text has.
 */
export function sessionStoreInTemporaryDirectory(
  createStore: (place: SessionStorePlace, directory: string) => SessionStore,
  { laterRecord }: SessionFilesOptions = {},
): Pick<SessionStoreContractOptions, 'create' | 'features'> {
  return {
    features: { retention: true, failures: true, damage: true, laterFormats: laterRecord !== undefined },
    create: async (place) => {
      const base = makeTemporaryDirectory();
      const directory = join(base, 'sessions');
      mkdirSync(directory, { mode: 0o700 });
      const reopen = (): SessionStore => createStore(place, directory);
      return {
        store: reopen(),
        reopen,
        breakWriting: async () => putFileInPlaceOf(directory),
        damage: async (session, damage) => damageFiles(recordsOf(session, directory), damage, laterRecord ?? ''),
        dispose: async () => rmSync(base, { recursive: true, force: true }),
      };
    },
  };
}

function putFileInPlaceOf(directory: string): () => Promise<void> {
  const away = `${directory}.away`;
  renameSync(directory, away);
  writeFileSync(directory, '');
  return async () => {
    rmSync(directory);
    renameSync(away, directory);
  };
}

function recordsOf({ id }: Session, directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = paths.filter((path) => path.slice(directory.length).includes(id));
  const found = named.length > 0 ? named : paths.filter((path) => readFileSync(path, 'utf8').includes(id));
  if (found.length === 0) {
    throw new Error(`no file below ${directory} has the id of the session in its path or its text: ${id}`);
  }
  return found;
}

function damageFiles(paths: readonly string[], damage: SessionDamage, laterRecord: string): void {
  const damages: Readonly<Record<SessionDamage, (path: string) => void>> = {
    truncated: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
    foreign: (path) => writeFileSync(path, '[]'),
    'later-format': (path) => writeFileSync(path, laterRecord),
  };
  for (const path of paths) {
    damages[damage](path);
  }
}
