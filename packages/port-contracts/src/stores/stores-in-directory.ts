import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerStore, Clock, RecordStore, SessionStore } from '@gemini-mcp/core';
import type { AnswerStoreContractOptions } from '../answer-store/answer-store.contract.ts';
import type { AnswerStoreBounds } from '../answer-store/answer-store-harness.ts';
import { makeTemporaryDirectory } from '../make-temporary-directory.ts';
import type { RecordStoreContractOptions } from '../record-store/record-store.contract.ts';
import type { SessionStoreContractOptions } from '../session-store/session-store.contract.ts';
import type { SessionStorePlace } from '../session-store/session-store-harness.ts';
import { damageFiles, putFileInPlaceOf } from './damage-files.ts';
import type { RecordDamage, StoreFeatures } from './store-features.ts';

export type RecordFilesOptions = {
  /** A record that a later version of the store could leave. Without it, no later formats are declared. */
  readonly laterRecord?: string;
};

/**
 * The harness of a store that keeps each session in its own files: each test gets a directory, which is removed afterwards.
 * To break writing, a file takes the place of the directory. To damage a session, all files are damaged whose path, or else
 * whose text, contains its id.
 */
export function sessionStoreInTemporaryDirectory(
  createStore: (place: SessionStorePlace, directory: string) => SessionStore,
  { laterRecord }: RecordFilesOptions = {},
): Pick<SessionStoreContractOptions, 'create' | 'features'> {
  return {
    features: { ...featuresOfFiles(laterRecord), retention: true },
    create: async (place) => {
      const { damage, ...harness } = openInDirectory((directory) => createStore(place, directory), laterRecord);
      return { ...harness, damage: async ({ id }, how) => damage(id, how) };
    },
  };
}

/** As `sessionStoreInTemporaryDirectory`, for a store that keeps answers: their files are found by their handles. */
export function answerStoreInTemporaryDirectory(
  createStore: (bounds: AnswerStoreBounds, directory: string) => AnswerStore,
  { laterRecord }: RecordFilesOptions = {},
): Pick<AnswerStoreContractOptions, 'create' | 'features'> {
  return {
    features: featuresOfFiles(laterRecord),
    create: async (bounds) => {
      const { damage, ...harness } = openInDirectory((directory) => createStore(bounds, directory), laterRecord);
      return { ...harness, damage: async ({ handle }, how) => damage(handle, how) };
    },
  };
}

/** As `sessionStoreInTemporaryDirectory`, for a store of any records: their files are found by their keys. */
export function recordStoreInTemporaryDirectory(
  createStore: (clock: Clock, directory: string) => RecordStore,
  { laterRecord }: RecordFilesOptions = {},
): Pick<RecordStoreContractOptions, 'create' | 'features'> {
  return {
    features: featuresOfFiles(laterRecord),
    create: async (clock) => {
      const { damage, ...harness } = openInDirectory((directory) => createStore(clock, directory), laterRecord);
      return { ...harness, damage: async ({ key }, how) => damage(key, how) };
    },
  };
}

function featuresOfFiles(laterRecord: string | undefined): StoreFeatures {
  return { failures: true, damage: true, laterFormats: laterRecord !== undefined };
}

type StoreInDirectory<Store> = {
  readonly store: Store;
  readonly reopen: () => Store;
  readonly breakWriting: () => Promise<() => Promise<void>>;
  readonly damage: (key: string, damage: RecordDamage) => void;
  readonly dispose: () => Promise<void>;
};

function openInDirectory<Store>(
  createStore: (directory: string) => Store,
  laterRecord: string = '',
): StoreInDirectory<Store> {
  const base = makeTemporaryDirectory();
  const directory = join(base, 'records');
  mkdirSync(directory, { mode: 0o700 });
  return {
    store: createStore(directory),
    reopen: () => createStore(directory),
    breakWriting: async () => putFileInPlaceOf(directory),
    damage: (key, damage) => damageFiles({ directory, key, damage, laterRecord }),
    dispose: async () => rmSync(base, { recursive: true, force: true }),
  };
}
