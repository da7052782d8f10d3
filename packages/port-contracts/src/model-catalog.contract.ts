import type { ModelCatalog } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { listenersLeft } from './listeners-left.ts';
import { Proof } from './proof.ts';

/**
 * The behaviour of a catalog's source: it returns these models, fails with an error that contains the key, or never answers.
 */
export type CatalogSituation =
  | { readonly type: 'tells'; readonly names: readonly string[] }
  | { readonly type: 'fails' }
  | { readonly type: 'hangs' };

export type ModelCatalogHarness = {
  readonly catalog: ModelCatalog;
  /** Text that no failure may contain; empty for a catalog without a key. */
  readonly secret: string;
  /** Resolves once the source has had that many requests since the harness was made. */
  readonly whenAsked: (count: number) => Promise<void>;
  /** Resolves when no connection to the source is open. */
  readonly whenLeft: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ModelCatalogContractOptions = {
  readonly name: string;
  readonly create: (situation: CatalogSituation) => Promise<ModelCatalogHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** More than one page of Google's API has. */
const manyNames = Array.from({ length: 2_100 }, (_, index) => `gemini-${index}`);

/** The promises of every `ModelCatalog`. */
export function describeModelCatalogContract({ name, create, deadlineMs }: ModelCatalogContractOptions): void {
  describe(`ModelCatalog contract: ${name}`, () => {
    const proof = new Proof({ subject: `ModelCatalog ${JSON.stringify(name)}`, deadlineMs });
    let abort: AbortController;
    let harness: ModelCatalogHarness | null;

    beforeEach(() => {
      abort = new AbortController();
      harness = null;
    });
    afterEach(async () => {
      await harness?.close();
    });

    const open = async (situation: CatalogSituation): Promise<ModelCatalogHarness> => {
      const opened = await create(situation);
      harness = { ...opened, catalog: proof.watch(opened.catalog) };
      return harness;
    };

    proof.promise('every model is listed once, however many there are', async () => {
      const { catalog } = await open({ type: 'tells', names: manyNames });
      const list = await catalog.list(abort.signal);
      expect(list.ok && list.models.map((model) => model.name).toSorted()).toEqual(manyNames.toSorted());
    });

    proof.promise('an empty list is a list as well', async () => {
      const { catalog } = await open({ type: 'tells', names: [] });
      expect(await catalog.list(abort.signal)).toEqual({ ok: true, models: [] });
    });

    proof.promise('a fault is a failure without the key', async () => {
      const { catalog, secret } = await open({ type: 'fails' });
      const list = await catalog.list(abort.signal);
      expect(list.ok).toBe(false);
      expect(secret !== '' && JSON.stringify(list).includes(secret)).toBe(false);
    });

    proof.promise('an abort ends it as cancelled, and leaves nothing', async () => {
      const { catalog, whenAsked, whenLeft } = await open({ type: 'hangs' });
      const listing = catalog.list(abort.signal);
      await whenAsked(1);
      abort.abort(new Error('The reader has gone.'));
      expect(await listing).toEqual({ ok: false, failure: { kind: 'cancelled' } });
      await whenLeft();
      expect(listenersLeft(abort.signal)).toBe(0);
    });

    proof.promise('a signal that is aborted already ends it as cancelled', async () => {
      const { catalog } = await open({ type: 'tells', names: ['gemini-a'] });
      abort.abort(new Error('The reader has gone.'));
      expect(await catalog.list(abort.signal)).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    });

    proof.promise('an abort of one leaves the others', async () => {
      const { catalog } = await open({ type: 'tells', names: ['gemini-a'] });
      const other = catalog.list(new AbortController().signal);
      const listing = catalog.list(abort.signal);
      abort.abort();
      await listing;
      expect(await other).toMatchObject({ ok: true, models: [{ name: 'gemini-a' }] });
    });

    proof.promise('an ended list leaves no listener on the signal', async () => {
      const { catalog } = await open({ type: 'tells', names: ['gemini-a'] });
      await catalog.list(abort.signal);
      expect(listenersLeft(abort.signal)).toBe(0);
    });
  });
}
