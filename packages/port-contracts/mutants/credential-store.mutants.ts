import type { CredentialStore } from '@gemini-mcp/core/internal';
import { describeCredentialStoreContract } from '../src/credential-store.contract.ts';
import type { CredentialStoreHarness } from '../src/credential-store-harness.ts';
import { allStoreFeatures } from '../src/store-features.ts';
import { BreakableCredentialStore, rightPoints } from './breakable-credential-store.ts';
import { credentialFaultMutants } from './credential-fault-mutants.ts';
import { credentialSignalMutants } from './credential-signal-mutants.ts';
import type { CredentialStoreMutant } from './credential-store-mutant.ts';
import { credentialStoreMutants } from './credential-store-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

function harnessOf(mutant: CredentialStoreMutant | null): CredentialStoreHarness {
  const openWhole = (): BreakableCredentialStore => new BreakableCredentialStore({ ...rightPoints, ...mutant?.points });
  const right = openWhole();
  const store: CredentialStore = {
    renewer: right.renewer,
    runs: (renewer) => right.runs(renewer),
    prepare: () => right.prepare(),
    find: (place, signal) => right.find(place, signal),
    save: (owner, kept, signal) => right.save(owner, kept, signal),
    remove: (place, signal) => right.remove(place, signal),
    ...mutant?.change?.(right),
  };
  return {
    store,
    reopen: () => (mutant?.forgets ? openWhole() : store),
    ended: () => 'ended',
    breakWriting: () => right.breakWriting(),
    damage: async ({ serial }) => right.damage(serial),
    dispose: async () => undefined,
  };
}

proveMutants([...credentialStoreMutants, ...credentialFaultMutants, ...credentialSignalMutants], (about, mutant) => {
  describeCredentialStoreContract({
    ...about,
    features: allStoreFeatures,
    create: async () => harnessOf(mutant),
  });
});
