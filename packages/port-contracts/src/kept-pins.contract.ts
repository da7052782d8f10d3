import { describe, expect } from 'vitest';
import { hostileText } from './hostile-text.ts';
import { describeKeptPinsFaults } from './kept-pins-faults.contract.ts';
import { byTool, type KeptPinsHarness, type KeptPinsSubject, key, otherKey, pinOf } from './kept-pins-harness.ts';
import { keysAlike } from './keys-alike.ts';
import type { StoreFeatures } from './store-features.ts';
import { watchStores } from './watch-stores.ts';

const signal = new AbortController().signal;

export type KeptPinsContractOptions = {
  readonly name: string;
  readonly features: StoreFeatures;
  readonly create: () => Promise<KeptPinsHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** What every `KeptPins` owes. */
export function describeKeptPinsContract({ name, features, create, deadlineMs }: KeptPinsContractOptions): void {
  describe(`KeptPins contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'KeptPins', name, deadlineMs });
    const open = async (): Promise<KeptPinsHarness> => hold(await create());
    const subject = { proof, open, features };
    describeAdding(subject);
    describeReplacing(subject);
    describeKeys(subject);
    describeKeptPinsFaults(subject);
  });
}

function describeAdding({ proof, open }: KeptPinsSubject): void {
  proof.promise('what was added is there whole, also for another process', async () => {
    const { store, reopen } = await open();
    const pins = [
      ...keysAlike.map((tool, index) => pinOf(tool, `${index}`)),
      { tool: 'hostile', digest: 'd'.repeat(64), definition: ` ${hostileText}\u0000\ud83d ` },
      pinOf('large', 'x'.repeat(1_000_000)),
      pinOf('empty', ''),
    ];
    expect(await store.add(key, pins, signal)).toBeNull();
    expect(byTool(await store.load(key, signal))).toEqual(byTool(pins));
    expect(byTool(await reopen().load(key, signal))).toEqual(byTool(pins));
  });

  proof.promise('a server that was seen without tools is not one that was never seen', async () => {
    const { store, reopen } = await open();
    expect(await store.add(key, [], signal)).toBeNull();
    expect(await store.load(key, signal)).toEqual([]);
    expect(await reopen().load(key, signal)).toEqual([]);
  });

  proof.promise('pins can be loaded as often as wanted', async () => {
    const { store } = await open();
    await store.add(key, [pinOf('look')], signal);
    for (let times = 0; times < 3; times += 1) {
      expect(await store.load(key, signal)).toEqual([pinOf('look')]);
    }
  });

  proof.promise('what was added before stays, however often more is added', async () => {
    const { store, reopen } = await open();
    const pins = Array.from({ length: 30 }, (_, index) => pinOf(`tool-${index}`));
    for (const [index, pin] of pins.entries()) {
      expect(await (index % 2 === 0 ? store : reopen()).add(key, [pin], signal)).toBeNull();
    }
    expect(byTool(await reopen().load(key, signal))).toEqual(byTool(pins));
  });

  proof.promise('none is lost when many are added at once, by two processes', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const pins = Array.from({ length: 40 }, (_, index) => pinOf(`tool-${index}`));
    const added = pins.map((pin, index) => (index % 2 === 0 ? store : other).add(key, [pin], signal));
    expect(new Set(await Promise.all(added))).toEqual(new Set([null]));
    expect(byTool(await reopen().load(key, signal))).toEqual(byTool(pins));
  });
}

function describeReplacing({ proof, open }: KeptPinsSubject): void {
  proof.promise('the later pin of a tool takes the place of the earlier, also of another process', async () => {
    const { store, reopen } = await open();
    await store.add(key, [pinOf('look'), pinOf('see')], signal);
    const changed = { ...pinOf('look', 'two'), digest: 'd'.repeat(64) };
    expect(await reopen().add(key, [changed], signal)).toBeNull();
    expect(byTool(await store.load(key, signal))).toEqual([changed, pinOf('see')]);
    expect(await store.add(key, [pinOf('look', 'three')], signal)).toBeNull();
    expect(byTool(await reopen().load(key, signal))).toEqual([pinOf('look', 'three'), pinOf('see')]);
  });

  proof.promise('the last of many pins of one tool counts, and it alone', async () => {
    const { store, reopen } = await open();
    for (let times = 0; times < 30; times += 1) {
      expect(await (times % 2 === 0 ? store : reopen()).add(key, [pinOf('look', `${times}`)], signal)).toBeNull();
      expect(await reopen().load(key, signal)).toEqual([pinOf('look', `${times}`)]);
    }
  });
}

function describeKeys({ proof, open }: KeptPinsSubject): void {
  proof.promise('a server that was never seen has null', async () => {
    const { store, reopen } = await open();
    expect(await store.load(key, signal)).toBeNull();
    await store.add(key, [pinOf('look')], signal);
    expect(await store.load(otherKey, signal)).toBeNull();
    expect(await reopen().load(otherKey, signal)).toBeNull();
  });

  proof.promise('keys are told apart by every character', async () => {
    const { store, reopen } = await open();
    for (const [index, alike] of keysAlike.entries()) {
      expect(await store.load(alike, signal), JSON.stringify(alike.slice(0, 70))).toBeNull();
      await store.add(alike, [pinOf(`of-${index}`)], signal);
    }
    for (const [index, alike] of keysAlike.entries()) {
      expect(await reopen().load(alike, signal)).toEqual([pinOf(`of-${index}`)]);
    }
  });
}
