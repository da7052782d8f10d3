import type { SessionStore } from '@gemini-mcp/core';
import { InMemorySessionStore } from '@gemini-mcp/core/testing';
import { describeSessionStoreContract } from '../src/session-store.contract.ts';
import type { SessionStoreHarness } from '../src/session-store-harness.ts';
import { proveMutants } from './prove-mutants.ts';
import { sessionKeepingMutants } from './session-keeping-mutants.ts';
import { sessionListingMutants } from './session-listing-mutants.ts';
import type { SessionStoreMutant } from './session-mutant.ts';

function harnessOf(right: SessionStore, mutant: SessionStoreMutant | null): SessionStoreHarness {
  const changed = mutant?.mutate(right) ?? {};
  const store: SessionStore = {
    load: changed.load ?? ((owner, id, signal) => right.load(owner, id, signal)),
    save: changed.save ?? ((session, version, signal) => right.save(session, version, signal)),
    list: changed.list ?? ((owner, limit, signal) => right.list(owner, limit, signal)),
    delete: changed.delete ?? ((owner, id, signal) => right.delete(owner, id, signal)),
    owners: changed.owners ?? ((signal) => right.owners(signal)),
  };
  const dispose = async (): Promise<void> => undefined;
  return { store, reopen: () => store, breakSaving: null, breakDeleting: null, damages: null, dispose };
}

proveMutants([...sessionKeepingMutants, ...sessionListingMutants], ({ name }, mutant) => {
  describeSessionStoreContract({
    name,
    create: async () => harnessOf(new InMemorySessionStore(), mutant),
    createBounded: async (bounds) => harnessOf(new InMemorySessionStore(null, bounds), mutant),
    createForgetful: async (retention) => harnessOf(new InMemorySessionStore(retention), mutant),
  });
});
