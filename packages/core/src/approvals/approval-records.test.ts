import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalToKeep } from '../ports/approval-store.ts';
import type { RecordKind } from '../ports/record-store.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { sha256, utf8 } from '../testing/sha256.ts';
import { ApprovalRecords } from './approval-records.ts';

const signal = new AbortController().signal;
const tool = { type: 'tool', digest: 'a'.repeat(64) } as const;

function approvalOf(prefix: readonly [string, ...string[]], fields: Partial<ApprovalToKeep> = {}): ApprovalToKeep {
  const allows = { type: 'command', prefix, network: false } as const;
  return { directory: '/home/user/project', allows, allowedAtMs: 1_700_000_000_000, ...fields };
}

const install = approvalOf(['npm', 'install']);

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
  approvalOf(['npm'], { allows: { type: 'command', prefix: ['npm', 'install'], network: true } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'npm', tool: 'install' } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'npm', tool: 'install', digest: 'b'.repeat(64) } }),
  approvalOf(['npm'], { allows: { ...tool, server: 'install', tool: 'npm' } }),
  approvalOf(['n\u0000\u2028"\\\ud83d', 'é']),
];

/** As the records of approvals have it. */
const kind: RecordKind = {
  name: 'approvals',
  maxBytesOfRecord: 16_384,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 16_384_000,
  maxBytes: 16_384_000,
  maxAgeMs: null,
  whenFull: 'refuse',
};

let records: InMemoryRecordStore;
let problems: string[];
let approvals: ApprovalRecords;

beforeEach(() => {
  records = new InMemoryRecordStore();
  problems = [];
  approvals = new ApprovalRecords({
    records,
    sha256: (text) => sha256(utf8(text)),
    onProblem: (sentence) => problems.push(sentence),
  });
});

describe('ApprovalRecords', () => {
  it('lists whole approvals, the oldest first, each under its own id', async () => {
    expect(await approvals.list(signal)).toEqual([]);
    for (const [index, approval] of different.entries()) {
      expect(await approvals.add({ ...approval, allowedAtMs: index }, signal)).toBeNull();
    }
    const listed = await approvals.list(signal);
    expect(listed.map(({ id: _id, ...approval }) => approval)).toEqual(
      different.map((approval, index) => ({ ...approval, allowedAtMs: index })),
    );
    expect(new Set(listed.map(({ id }) => id)).size).toBe(different.length);
  });

  it('has ids of 20 hexadecimal digits, the same for the same on every machine', async () => {
    await approvals.add(install, signal);
    expect((await approvals.list(signal)).map(({ id }) => id)).toEqual(['cb0d9352d0f0a4d30c14']);
  });

  it('keeps the same once, with the time that it had, also when it is added again at once', async () => {
    await approvals.add(install, signal);
    const allows = { network: false, prefix: ['npm', 'install'], type: 'command' } as const;
    const again = { allowedAtMs: 5, allows, directory: install.directory };
    expect(await Promise.all([1, 2, 3].map(() => approvals.add(again, signal)))).toEqual([null, null, null]);
    expect(await approvals.list(signal)).toMatchObject([{ allowedAtMs: install.allowedAtMs }]);
  });

  it('revokes an id once, and nothing by an id that is nearly one', async () => {
    await approvals.add(install, signal);
    await approvals.add(approvalOf(['git', 'add'], { allowedAtMs: 1_700_000_000_001 }), signal);
    const [{ id } = { id: '' }] = await approvals.list(signal);
    for (const other of [` ${id}`, `${id}0`, id.slice(1), '', '.', '../approvals', '*', 'a'.repeat(5_000)]) {
      expect(await approvals.revoke(other, signal), other).toBe(false);
    }
    expect(await approvals.list(signal)).toHaveLength(2);
    expect([await approvals.revoke(id, signal), await approvals.revoke(id, signal)]).toEqual([true, false]);
    expect(await approvals.list(signal)).toHaveLength(1);
    await approvals.add(install, signal);
    expect((await approvals.list(signal)).map((one) => one.id)).toContain(id);
  });

  it.each([
    ['for an interpreter', { allows: { type: 'command', prefix: ['node'], network: true } }],
    ['for every directory', { directory: null }],
    ['with more fields', { more: true }],
    ['with no words', { allows: { type: 'command', prefix: [], network: false } }],
  ])('CONFIG: allows nothing by a record that was changed by hand %s, and says so', async (_, changes) => {
    await approvals.add(install, signal);
    const [{ id } = { id: '' }] = await approvals.list(signal);
    const expectedVersion = (await records.get({ kind, owner: '', key: id }, signal))?.version ?? 0;
    const summary = JSON.stringify({ ...install, ...changes });
    await records.put({ kind, owner: '', key: id, expectedVersion, stampMs: 1, summary, text: '' }, signal);
    expect(await approvals.list(signal)).toEqual([]);
    expect(problems).toEqual([`The approval ${id} allows nothing: it was changed by hand. Revoke it.`]);
    expect(await approvals.revoke(id, signal)).toBe(true);
  });

  it('refuses more than 1,000, and keeps them', async () => {
    for (let index = 0; index < 1_000; index += 1) {
      expect(await approvals.add(approvalOf(['x', `${index}`]), signal)).toBeNull();
    }
    expect(await approvals.add(install, signal)).toMatch(
      /^The approval could not be kept: there is no room for more\./,
    );
    expect(await approvals.list(signal)).toHaveLength(1_000);
  });

  it('never rejects for an abort, and then has kept and revoked nothing', async () => {
    await approvals.add(install, signal);
    const [{ id } = { id: '' }] = await approvals.list(signal);
    const aborted = AbortSignal.abort(new Error('stopped'));
    expect(await approvals.list(aborted)).toEqual([]);
    expect(await approvals.add(approvalOf(['git']), aborted)).toMatch(/the call was cancelled/);
    expect(await approvals.revoke(id, aborted)).toBe(false);
    expect(await approvals.list(signal)).toHaveLength(1);
  });
});
