import { expect } from 'vitest';
import { abortReason } from './abort-reason.ts';
import { type ApprovalStoreSubject, install } from './approval-store-harness.ts';
import { listenersLeft } from './listeners-left.ts';

const signal = new AbortController().signal;

/** What a store owes where it is aborted. */
export function describeApprovalSignals({ proof, open }: ApprovalStoreSubject): void {
  proof.promise('list() never rejects, and leaves no listener on its signal', async () => {
    const { store } = await open();
    await store.add(install, signal);
    await expect(store.list(AbortSignal.abort(abortReason))).resolves.toEqual(expect.any(Array));
    const own = new AbortController().signal;
    await store.list(own);
    expect(listenersLeft(own)).toBe(0);
  });

  proof.promise('add() that is aborted says whether it has kept the approval', async () => {
    const { store, reopen } = await open();
    const problem = await store.add(install, AbortSignal.abort(abortReason));
    expect(await reopen().list(signal)).toHaveLength(problem === null ? 1 : 0);
  });

  proof.promise('revoke() that is aborted says whether it has revoked the approval', async () => {
    const { store, reopen } = await open();
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    const isRevoked = await store.revoke(kept?.id ?? '', AbortSignal.abort(abortReason));
    expect(await reopen().list(signal)).toHaveLength(isRevoked ? 0 : 1);
  });

  proof.promise('add() and revoke() leave no listener on their signals', async () => {
    const { store } = await open();
    const [adding, revoking] = [new AbortController().signal, new AbortController().signal];
    await store.add(install, adding);
    const [kept] = await store.list(signal);
    await store.revoke(kept?.id ?? '', revoking);
    expect([listenersLeft(adding), listenersLeft(revoking)]).toEqual([0, 0]);
  });
}
