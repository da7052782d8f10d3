import type { ApprovalToKeep } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { type ApprovalStoreHarness, type ApprovalStoreSubject, approvalOf, install } from './approval-store-harness.ts';
import { describeApprovalSignals } from './approval-store-signals.contract.ts';
import { declaredDamages, declaredHook, type StoreFeatures } from './store-features.ts';
import { watchStores } from './watch-stores.ts';

const signal = new AbortController().signal;

export type ApprovalStoreContractOptions = {
  readonly name: string;
  /** With `damage`, the harness needs `edit` too. */
  readonly features: StoreFeatures;
  readonly create: () => Promise<ApprovalStoreHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const tool = { type: 'tool', digest: 'a'.repeat(64) } as const;

/** Approvals that differ in one thing each. */
const different: readonly ApprovalToKeep[] = [
  install,
  approvalOf(['npm', 'install', 'x']),
  approvalOf(['npm']),
  approvalOf(['npm install']),
  approvalOf(['install', 'npm']),
  approvalOf(['NPM', 'install']),
  approvalOf(['npm', `${'x'.repeat(300)}1`]),
  approvalOf(['npm', `${'x'.repeat(300)}2`]),
  approvalOf(['npm', 'install'], { directory: '/home/user/project/' }),
  approvalOf(['npm', 'install'], { directory: null }),
  approvalOf(['npm', 'install'], { allows: { type: 'command', prefix: ['npm', 'install'], network: true } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'npm', tool: 'install' } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'npm', tool: 'install', digest: 'b'.repeat(64) } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'install', tool: 'npm' } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'npm', tool: 'npm' } }),
  approvalOf(['n\u0000\u2028"\\\ud83d', 'é']),
];

/** What every `ApprovalStore` owes. */
export function describeApprovalStoreContract(options: ApprovalStoreContractOptions): void {
  const { name, features, create, deadlineMs } = options;
  describe(`ApprovalStore contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'ApprovalStore', name, deadlineMs });
    const open = async (): Promise<ApprovalStoreHarness> => hold(await create());
    const subject = { proof, open, features };
    describeKeeping(subject);
    describeRevoking(subject);
    describeDamage(subject);
    describeApprovalSignals(subject);
  });
}

function describeKeeping({ proof, open }: ApprovalStoreSubject): void {
  proof.promise('what was added is listed whole, also for another process', async () => {
    const { store, reopen } = await open();
    expect(await store.list(signal)).toEqual([]);
    for (const [index, approval] of different.entries()) {
      expect(await store.add({ ...approval, allowedAtMs: index }, signal)).toBeNull();
    }
    const listed = await reopen().list(signal);
    const byTime = [...listed].sort((one, other) => one.allowedAtMs - other.allowedAtMs);
    expect(byTime.map(({ id: _id, ...approval }) => approval)).toEqual(
      different.map((approval, index) => ({ ...approval, allowedAtMs: index })),
    );
  });

  proof.promise('what allows something else, or elsewhere, has another id', async () => {
    const { store } = await open();
    for (const approval of different) {
      await store.add(approval, signal);
    }
    const listed = await store.list(signal);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(different.length);
    expect(listed.every(({ id }) => id !== '')).toBe(true);
  });

  proof.promise('the same is kept once, under the id and with the time that it had', async () => {
    const { store, reopen } = await open();
    await store.add(install, signal);
    const before = await store.list(signal);
    const allows = { network: false, prefix: ['npm', 'install'], type: 'command' } as const;
    expect(await reopen().add({ allowedAtMs: 5, allows, directory: install.directory }, signal)).toBeNull();
    expect(await store.list(signal)).toEqual(before);
  });

  proof.promise('an approval that is added again after it was revoked has the id that it had', async () => {
    const { store } = await open();
    await store.add(install, signal);
    const [first] = await store.list(signal);
    await store.revoke(first?.id ?? '', signal);
    await store.add(install, signal);
    expect((await store.list(signal)).map(({ id }) => id)).toEqual([first?.id]);
  });

  proof.promise('nothing is lost when many are added at once, by two processes', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const words = Array.from({ length: 40 }, (_, index) => `word-${index}`);
    const added = words.map((word, index) => (index % 2 === 0 ? store : other).add(approvalOf(['x', word]), signal));
    expect(new Set(await Promise.all(added))).toEqual(new Set([null]));
    const listed = await reopen().list(signal);
    const kept = listed.map(({ allows }) => (allows.type === 'command' ? allows.prefix[1] : ''));
    expect(kept.sort()).toEqual(words.sort());
  });

  proof.promise('the same, added twice at once, is kept once', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const added = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? store : other).add(install, signal));
    expect(new Set(await Promise.all(added))).toEqual(new Set([null]));
    expect(await store.list(signal)).toHaveLength(1);
  });
}

function describeRevoking({ proof, open }: ApprovalStoreSubject): void {
  proof.promise('what was revoked is gone, also for another process, and the others stay', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    await store.add(install, signal);
    await store.add(approvalOf(['git', 'add']), signal);
    const listed = await other.list(signal);
    const revoked = listed.find(({ allows }) => allows.type === 'command' && allows.prefix[0] === 'npm');
    expect(await store.revoke(revoked?.id ?? '', signal)).toBe(true);
    const left = listed.filter(({ id }) => id !== revoked?.id);
    expect(left).toHaveLength(1);
    expect(await other.list(signal)).toEqual(left);
    expect(await reopen().list(signal)).toEqual(left);
  });

  proof.promise('an id is revoked once', async () => {
    const { store } = await open();
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    expect(await store.revoke(kept?.id ?? '', signal)).toBe(true);
    expect(await store.revoke(kept?.id ?? '', signal)).toBe(false);
  });

  proof.promise('what was revoked stays gone when others are added', async () => {
    const { store, reopen } = await open();
    await store.add(install, signal);
    const [kept] = await store.list(signal);
    await store.revoke(kept?.id ?? '', signal);
    await store.add(approvalOf(['git', 'add']), signal);
    expect(await reopen().list(signal)).toMatchObject([{ allows: { prefix: ['git', 'add'] } }]);
  });

  proof.promise('an id that is nearly one revokes nothing', async () => {
    const { store } = await open();
    await store.add(install, signal);
    const [{ id } = { id: '' }] = await store.list(signal);
    for (const other of [` ${id}`, `${id} `, `${id}0`, id.slice(1), id.slice(0, -1), `./${id}`]) {
      expect(await store.revoke(other, signal), other).toBe(false);
    }
    expect(await store.list(signal)).toHaveLength(1);
  });

  for (const id of ['', '.', '..', '../approvals', 'x', '*', 'a'.repeat(5_000), '\u0000']) {
    proof.promise(`an id that is none revokes nothing: ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const { store } = await open();
      await store.add(install, signal);
      expect(await store.revoke(id, signal)).toBe(false);
      expect(await store.list(signal)).toHaveLength(1);
    });
  }
}

function describeDamage({ proof, open, features }: ApprovalStoreSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`a record that cannot be read (${damage}) allows nothing, and the others stay`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.add(install, signal);
      const [damaged] = await store.list(signal);
      await store.add(approvalOf(['git', 'add']), signal);
      if (damaged !== undefined) {
        await declaredHook(harness, 'damage', feature)(damaged, damage);
      }
      expect(await reopen().list(signal)).toMatchObject([{ allows: { prefix: ['git', 'add'] } }]);
      expect(await store.add(install, signal)).toBeNull();
      expect(await reopen().list(signal)).toHaveLength(2);
    });
  }

  if (features.damage) {
    proof.promise('CONFIG: what was changed by hand is no longer what was allowed', async () => {
      const { store, reopen, edit } = await open();
      await store.add(install, signal);
      const [kept] = await store.list(signal);
      if (kept === undefined || edit === undefined) {
        throw new Error('features.damage is declared, and the harness has no edit(): add it, or declare false');
      }
      await edit(kept, ['npm']);
      const listed = await reopen().list(signal);
      expect(listed.filter(({ id }) => id === kept.id)).toEqual([]);
    });
  }

  if (features.failures) {
    proof.promise('add() that fails says why, and leaves the others', async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.add(install, signal);
      const mend = await declaredHook(harness, 'breakWriting', 'failures')();
      const failed = await store.add(approvalOf(['git', 'add']), signal).finally(mend);
      expect(failed).toMatch(/\w+ \w+/);
      expect(await reopen().list(signal)).toMatchObject([{ allows: { prefix: ['npm', 'install'] } }]);
    });
  }
}
