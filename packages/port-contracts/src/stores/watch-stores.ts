import { afterEach } from 'vitest';
import { Proof, type ProofOptions } from '../proof.ts';

type StoreHarness = {
  readonly store: object;
  readonly reopen: () => object;
  readonly dispose: () => Promise<void>;
};

export type WatchedStores = {
  readonly proof: Proof;
  /** The same harness, whose stores the proof watches. It is disposed of after the test. */
  readonly hold: <Harness extends StoreHarness>(harness: Harness) => Harness;
};

export type WatchStoresOptions = Pick<ProofOptions, 'deadlineMs'> & {
  /** As the core names it. */
  readonly port: string;
  /** Of the adapter. */
  readonly name: string;
};

/** For a suite of stores, inside its `describe`. */
export function watchStores({ port, name, deadlineMs }: WatchStoresOptions): WatchedStores {
  const proof = new Proof({ subject: `${port} ${JSON.stringify(name)}`, deadlineMs });
  const held: StoreHarness[] = [];
  afterEach(async () => {
    await Promise.all(held.splice(0).map((harness) => harness.dispose()));
  });
  return {
    proof,
    hold: (harness) => {
      held.push(harness);
      return { ...harness, store: proof.watch(harness.store), reopen: () => proof.watch(harness.reopen()) };
    },
  };
}
