import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';
import { canonicalJson } from '@gemini-mcp/core/internal';
import { describe, expect } from 'vitest';
import { describeKeptListsFaults } from './kept-lists-faults.contract.ts';
import {
  fullLists,
  type KeptListsHarness,
  type KeptListsSubject,
  key,
  listsOf,
  otherKey,
} from './kept-lists-harness.ts';
import { keysAlike } from './keys-alike.ts';
import type { StoreFeatures } from './store-features.ts';
import { watchStores } from './watch-stores.ts';

const signal = new AbortController().signal;

export type KeptListsContractOptions = {
  readonly name: string;
  readonly features: StoreFeatures;
  readonly create: () => Promise<KeptListsHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** What every `KeptLists` owes. */
export function describeKeptListsContract({ name, features, create, deadlineMs }: KeptListsContractOptions): void {
  describe(`KeptLists contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'KeptLists', name, deadlineMs });
    const open = async (): Promise<KeptListsHarness> => hold(await create());
    const subject = { proof, open, features };
    describeKeeping(subject);
    describeKeys(subject);
    describeKeptListsFaults(subject);
  });
}

/** In one text, so that a member with a name of the language counts as any other. */
async function expectKept(kept: KeptLists, under: string, lists: ServerLists): Promise<void> {
  expect(canonicalJson(await kept.load(under, signal))).toBe(canonicalJson(lists));
}

function describeKeeping({ proof, open }: KeptListsSubject): void {
  proof.promise('what was saved is there whole and in its order, also for another process', async () => {
    const { store, reopen } = await open();
    await store.save(key, fullLists, signal);
    await expectKept(store, key, fullLists);
    await expectKept(reopen(), key, fullLists);
  });

  proof.promise('lists with nothing in them are lists', async () => {
    const { store, reopen } = await open();
    await store.save(key, listsOf([]), signal);
    await expectKept(reopen(), key, listsOf([]));
  });

  proof.promise('lists can be loaded as often as wanted', async () => {
    const { store } = await open();
    await store.save(key, fullLists, signal);
    for (let times = 0; times < 3; times += 1) {
      await expectKept(store, key, fullLists);
    }
  });

  proof.promise('what is saved takes the place of all that was there, also of another process', async () => {
    const { store, reopen } = await open();
    await store.save(key, fullLists, signal);
    await reopen().save(key, listsOf(['look']), signal);
    await expectKept(store, key, listsOf(['look']));
    await store.save(key, listsOf(['see'], { takenAtMs: 0 }), signal);
    await expectKept(reopen(), key, listsOf(['see'], { takenAtMs: 0 }));
  });

  proof.promise('lists of many large tools are kept', async () => {
    const { store, reopen } = await open();
    const names = Array.from({ length: 600 }, (_, index) => `tool-${index}-${'x'.repeat(3_000)}`);
    await store.save(key, listsOf(names), signal);
    await expectKept(reopen(), key, listsOf(names));
  });
}

function describeKeys({ proof, open }: KeptListsSubject): void {
  proof.promise('where nothing was saved there is nothing', async () => {
    const { store, reopen } = await open();
    expect(await store.load(key, signal)).toBeNull();
    await store.save(key, fullLists, signal);
    expect(await reopen().load(otherKey, signal)).toBeNull();
  });

  proof.promise('keys are told apart by every character', async () => {
    const { store, reopen } = await open();
    for (const [index, alike] of keysAlike.entries()) {
      expect(await store.load(alike, signal), JSON.stringify(alike.slice(0, 70))).toBeNull();
      await store.save(alike, listsOf(['look'], { takenAtMs: index }), signal);
    }
    for (const [index, alike] of keysAlike.entries()) {
      await expectKept(reopen(), alike, listsOf(['look'], { takenAtMs: index }));
    }
  });

  proof.promise('nothing is lost when many are saved at once, by two processes', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const keys = Array.from({ length: 40 }, (_, index) => `${index}`.padStart(64, '0'));
    const from = (index: number): KeptLists => (index % 2 === 0 ? store : other);
    await Promise.all(keys.map((each, index) => from(index).save(each, listsOf([each]), signal)));
    for (const each of keys) {
      await expectKept(reopen(), each, listsOf([each]));
    }
  });

  proof.promise('of several that are saved at once under one key one is there whole', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const saved = Array.from({ length: 10 }, (_, index) => listsOf([`only-${index}`], { takenAtMs: index }));
    const from = (index: number): KeptLists => (index % 2 === 0 ? store : other);
    await Promise.all(saved.map((lists, index) => from(index).save(key, lists, signal)));
    expect(saved.map(canonicalJson)).toContain(canonicalJson(await reopen().load(key, signal)));
  });
}
