import { InMemoryRecordStore, SessionRecords, type SessionStore } from '@gemini-mcp/core';
import { describeSessionStoreContract } from '../src/session-store/session-store.contract.ts';
import type { SessionStoreHarness, SessionStorePlace } from '../src/session-store/session-store-harness.ts';
import { proveMutants } from './prove-mutants.ts';
import { BreakableSessionStore } from './session-store/breakable-session-store.ts';
import { sessionBoundMutants } from './session-store/session-bound-mutants.ts';
import { sessionDamageMutants } from './session-store/session-damage-mutants.ts';
import { sessionDeletingMutants } from './session-store/session-deleting-mutants.ts';
import { sessionListingMutants } from './session-store/session-listing-mutants.ts';
import type { SessionStoreMutant } from './session-store/session-mutant.ts';
import { sessionOwnerMutants } from './session-store/session-owner-mutants.ts';
import { sessionRetentionMutants } from './session-store/session-retention-mutants.ts';
import { sessionSignalMutants } from './session-store/session-signal-mutants.ts';
import { sessionTextMutants } from './session-store/session-text-mutants.ts';
import { sessionVersionMutants } from './session-store/session-version-mutants.ts';

function harnessOf(place: SessionStorePlace, mutant: SessionStoreMutant | null): SessionStoreHarness {
  const { clock, retentionMs, bounds } = { ...place, ...mutant?.editTarget?.(place) };
  const whole = new SessionRecords({ records: new InMemoryRecordStore(clock), retentionMs, bounds });
  const right = new BreakableSessionStore(whole, bounds.maxRecordsOfOwner);
  const memory = new Map<string, number>();
  const open = (): SessionStore => {
    const changed: Partial<SessionStore> = mutant?.mutate?.({ right, whole, place, memory }) ?? {};
    return {
      load: changed.load?.bind(changed) ?? ((owner, id, signal) => right.load(owner, id, signal)),
      save: changed.save?.bind(changed) ?? ((session, version, signal) => right.save(session, version, signal)),
      list: changed.list?.bind(changed) ?? ((owner, limit, signal) => right.list(owner, limit, signal)),
      delete: changed.delete?.bind(changed) ?? ((owner, id, signal) => right.delete(owner, id, signal)),
      owners: changed.owners?.bind(changed) ?? ((signal) => right.owners(signal)),
    };
  };
  return {
    store: open(),
    reopen: open,
    breakWriting: async () => {
      const mend = right.breakWriting();
      return async () => mend();
    },
    breakEvicting: async () => {
      const mend = right.breakEvicting();
      return async () => mend();
    },
    damage: async (session) => right.damage(session),
    dispose: async () => undefined,
  };
}

const mutants = [
  ...sessionOwnerMutants,
  ...sessionVersionMutants,
  ...sessionTextMutants,
  ...sessionListingMutants,
  ...sessionDeletingMutants,
  ...sessionDamageMutants,
  ...sessionBoundMutants,
  ...sessionRetentionMutants,
  ...sessionSignalMutants,
];

proveMutants(mutants, (about, mutant) => {
  describeSessionStoreContract({
    ...about,
    features: { retention: true, failures: true, damage: true, laterFormats: true },
    create: async (place) => harnessOf(place, mutant),
  });
});
