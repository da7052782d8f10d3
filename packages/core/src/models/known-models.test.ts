import { beforeEach, describe, expect, it } from 'vitest';
import type { CatalogModel, ModelList } from '../ports/model-catalog.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ScriptedModelCatalog } from '../testing/scripted-model-catalog.ts';
import { KnownModels } from './known-models.ts';

const dayMs = 86_400_000;
const signal = new AbortController().signal;
const modelOf = (name: string, inputTokenLimit: number | null): CatalogModel => ({
  name,
  inputTokenLimit,
  outputTokenLimit: 65_536,
  thinks: true,
  actions: ['generateContent'],
});
const listOf = (...models: readonly CatalogModel[]): ModelList => ({ ok: true, models });
const overloaded: ModelList = { ok: false, failure: { kind: 'overloaded', excerpt: '' } };

describe('KnownModels', () => {
  let clock: FakeClock;
  let catalog: ScriptedModelCatalog;
  let answers: readonly (ModelList | Promise<ModelList>)[];
  let known: KnownModels;

  beforeEach(() => {
    clock = new FakeClock(1_700_000_000_000);
    answers = [];
    catalog = new ScriptedModelCatalog(() => answers[Math.min(catalog.asked, answers.length) - 1] ?? overloaded);
    known = new KnownModels({ clock, catalog });
  });

  it('asks when a reader wants to know, and once a day', async () => {
    const first = listOf(modelOf('gemini-a', 1));
    answers = [first, listOf(modelOf('gemini-b', 1))];
    expect(known.windowOf('gemini-a')).toBe(1_048_576);
    expect(catalog.asked).toBe(0);
    expect(await known.read(1_000, signal)).toEqual(first);
    await clock.advance(dayMs - 1);
    expect(await known.read(1_000, signal)).toEqual(first);
    expect(catalog.asked).toBe(1);
    await clock.advance(1);
    // The next list is on its way, and no one waits for it.
    expect(await known.read(1_000, signal)).toEqual(first);
    await clock.advance(0);
    expect(await known.read(1_000, signal)).toEqual(listOf(modelOf('gemini-b', 1)));
    expect(catalog.asked).toBe(2);
  });

  it('waits no longer than its reader, and asks once for all of them', async () => {
    let answer: (list: ModelList) => void = () => undefined;
    answers = [
      new Promise((resolve) => {
        answer = resolve;
      }),
    ];
    const readers = [known.read(1_000, signal), known.read(1_000, signal)];
    await clock.advance(1_000);
    expect(await Promise.all(readers)).toEqual([null, null]);
    answer(listOf());
    await clock.advance(0);
    expect(await known.read(0, signal)).toEqual(listOf());
    expect(catalog.asked).toBe(1);
  });

  it('says why the list is missing, and tries again after ten minutes', async () => {
    answers = [overloaded, listOf()];
    expect(await known.read(1_000, signal)).toEqual(overloaded);
    await clock.advance(600_000 - 1);
    expect(await known.read(1_000, signal)).toEqual(overloaded);
    expect(catalog.asked).toBe(1);
    await clock.advance(1);
    expect(await known.read(1_000, signal)).toEqual(listOf());
  });

  it('keeps an old list where a new one cannot be had', async () => {
    answers = [listOf(modelOf('gemini-a', 5)), overloaded];
    await known.read(1_000, signal);
    await clock.advance(dayMs);
    await known.read(1_000, signal);
    await clock.advance(0);
    expect(await known.read(1_000, signal)).toEqual(listOf(modelOf('gemini-a', 5)));
    expect(catalog.asked).toBe(2);
  });

  it('gives up a catalog that never answers, and aborts it', async () => {
    let isOver: boolean | null = null;
    const list = (over: AbortSignal): Promise<ModelList> =>
      new Promise((resolve) => {
        over.addEventListener('abort', () => {
          isOver = over.aborted;
          resolve({ ok: false, failure: { kind: 'cancelled' } });
        });
      });
    const slow = new KnownModels({ clock, catalog: { list } });
    const reading = slow.read(60_000, signal);
    await clock.advance(30_000);
    expect(await reading).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    expect(isOver).toBe(true);
  });

  it('uses the reported windows, and leaves room for the answer in a shared one', async () => {
    answers = [listOf(modelOf('gemini-4-x', 1_048_576), modelOf('gemini-9-y', 2_000_000), modelOf('gemma-4', null))];
    await known.read(1_000, signal);
    expect(known.windowOf('gemini-4-x')).toBe(983_040);
    expect(known.windowOf('gemini-9-y')).toBe(2_000_000 - 65_536);
    expect(known.windowOf('gemma-4')).toBe(256_000);
    expect(known.windowOf('gemini-3.8-flash')).toBe(1_048_576);
  });
});
