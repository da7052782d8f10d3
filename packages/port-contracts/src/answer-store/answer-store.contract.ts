import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { showValue } from '../show-value.ts';
import type { StoreFeatures } from '../stores/store-features.ts';
import { watchStores } from '../stores/watch-stores.ts';
import { describeAnswerStoreBounds } from './answer-store-bounds.contract.ts';
import { describeAnswerStoreDamage } from './answer-store-damage.contract.ts';
import {
  type AnswerStoreBounds,
  type AnswerStoreHarness,
  type AnswerStoreSubject,
  answer,
  handleOf,
  hourMs,
  signal,
} from './answer-store-harness.ts';
import { describeAnswerStoreOwners } from './answer-store-owners.contract.ts';

export type AnswerStoreContractOptions = {
  readonly name: string;
  readonly features: StoreFeatures;
  readonly create: (bounds: AnswerStoreBounds) => Promise<AnswerStoreHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const strangeHandles = ['', '.', '..', '../../x', 'a/b', 'A', '-r', 'a\u0000b', 'a'.repeat(33), 'a'.repeat(5_000)];

/** The promises of every `AnswerStore`. */
export function describeAnswerStoreContract(options: AnswerStoreContractOptions): void {
  const { name, features, create, deadlineMs } = options;
  describe(`AnswerStore contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'AnswerStore', name, deadlineMs });
    const open = async (bounds: Partial<AnswerStoreBounds> = {}): Promise<AnswerStoreHarness> => {
      const maxBytes = 64 * 1_048_576;
      const clock = new FakeClock();
      const harness = await create({
        clock,
        expiryMs: hourMs,
        maxAnswerBytes: maxBytes,
        maxOwnerBytes: maxBytes,
        maxBytes,
        ...bounds,
      });
      return hold(harness);
    };

    const subject = { proof, open, features };
    describeAnswerStoreKeeping(subject);
    describeAnswerStoreOwners(subject);
    describeAnswerStoreBounds(subject);
    describeAnswerStoreDamage(subject);
    describeSignals(subject);
  });
}

function describeAnswerStoreKeeping({ proof, open }: AnswerStoreSubject): void {
  proof.promise('keeps the endings of a text, also for another process (CUT-04)', async () => {
    const { store, reopen } = await open();
    const saved = await store.save(answer({ endNote: 'It is cut here.' }), signal);
    expect(await reopen().load('alice', handleOf(saved), signal)).toMatchObject({ endNote: 'It is cut here.' });
    const plain = await store.save(answer(), signal);
    expect(await reopen().load('alice', handleOf(plain), signal)).not.toHaveProperty('endNote');
  });

  proof.promise('save() returns what load() and list() return, also in another process', async () => {
    const clock = new FakeClock();
    const { store, reopen } = await open({ clock });
    const saved = await store.save(answer(), signal);
    const summary = {
      handle: expect.stringMatching(/^[a-z0-9]{1,32}$/),
      owner: 'alice',
      title: 'What is it?',
      createdAtMs: clock.now(),
      characters: 11,
    };
    expect(saved).toEqual({ saved: true, answer: summary });
    expect(await reopen().list('alice', 10, signal)).toEqual([summary]);
    expect(await reopen().load('alice', handleOf(saved), signal)).toEqual({
      ...answer(),
      handle: handleOf(saved),
      createdAtMs: clock.now(),
    });
  });

  proof.promise('large and hostile texts round-trip', async () => {
    const { store, reopen } = await open();
    const text = '\u0000\u2028\r\n"\\\u{1f600}\ufeff\ud800</answer>'.repeat(150_000);
    const saved = await store.save(answer({ text, title: '\u2028 \u0000' }), signal);
    expect(saved).toMatchObject({ answer: { characters: text.length } });
    const loaded = await reopen().load('alice', handleOf(saved), signal);
    expect(loaded?.text === text).toBe(true);
    expect(loaded?.title).toBe('\u2028 \u0000');
  });

  proof.promise('concurrent saves are all kept, each with its own handle', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const saved = await Promise.all(
      texts.map((text, index) => (index % 2 === 0 ? store : other).save(answer({ text }), signal)),
    );
    const loaded = await Promise.all(saved.map((one) => reopen().load('alice', handleOf(one), signal)));
    expect(loaded.map((one) => one?.text)).toEqual(texts);
    expect(new Set(saved.map(handleOf)).size).toBe(20);
  });

  for (const handle of strangeHandles) {
    proof.promise(`an invalid handle is unknown: ${showValue(handle)}`, async () => {
      const { store } = await open();
      await store.save(answer(), signal);
      expect(await store.load('alice', handle, signal)).toBeNull();
    });
  }

  proof.promise('an answer can be read as often as wanted', async () => {
    const { store } = await open();
    const handle = handleOf(await store.save(answer(), signal));
    const first = await store.load('alice', handle, signal);
    expect(first).not.toBeNull();
    expect(await store.load('alice', handle, signal)).toEqual(first);
    expect(await store.list('alice', 10, signal)).toHaveLength(1);
  });

  proof.promise('an answer without text or title is kept too', async () => {
    const { store, reopen } = await open();
    const handle = handleOf(await store.save(answer({ text: '', title: '' }), signal));
    expect(await reopen().load('alice', handle, signal)).toMatchObject({ text: '', title: '' });
    expect(await reopen().list('alice', 1, signal)).toMatchObject([{ characters: 0 }]);
  });

  proof.promise('list() returns the newest first, up to the limit', async () => {
    const clock = new FakeClock();
    const { store } = await open({ clock });
    for (const title of ['one', 'two', 'three']) {
      await store.save(answer({ title }), signal);
      await clock.advance(1);
    }
    const listed = await store.list('alice', 2, signal);
    expect(listed.map((one) => one.title)).toEqual(['three', 'two']);
    expect(await store.list('alice', 0, signal)).toEqual([]);
  });

  proof.promise('list() keeps one order for answers of the same time', async () => {
    const { store } = await open();
    for (const title of ['one', 'two', 'three']) {
      await store.save(answer({ title }), signal);
    }
    const listed = await store.list('alice', 10, signal);
    expect(listed).toHaveLength(3);
    expect(await store.list('alice', 10, signal)).toEqual(listed);
  });
}

function describeSignals({ proof, open }: AnswerStoreSubject): void {
  for (const method of ['save', 'load', 'list'] as const) {
    const call = ({ store }: AnswerStoreHarness, handle: string, callSignal: AbortSignal): Promise<unknown> => {
      const calls = {
        save: () => store.save(answer(), callSignal),
        load: () => store.load('alice', handle, callSignal),
        list: () => store.list('alice', 1, callSignal),
      };
      return calls[method]();
    };

    proof.promise(`${method}() rejects with the reason of an aborted signal`, async () => {
      const harness = await open();
      const handle = handleOf(await harness.store.save(answer(), signal));
      await expect(call(harness, handle, AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
      expect(await harness.store.list('alice', 10, signal)).toHaveLength(1);
    });

    proof.promise(`${method}() leaves no listener on the signal`, async () => {
      const harness = await open();
      const handle = handleOf(await harness.store.save(answer(), signal));
      const own = new AbortController().signal;
      await call(harness, handle, own);
      expect(listenersLeft(own)).toBe(0);
    });
  }
}
