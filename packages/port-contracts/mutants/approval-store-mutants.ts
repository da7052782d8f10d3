import type { ApprovalStoreMutant } from './approval-store-mutant.ts';

const keepingMutants: readonly ApprovalStoreMutant[] = [
  { name: 'renews', wrong: 'gives what is added again the new time', points: { keepsFirst: false } },
  {
    name: 'loses-updates',
    wrong: 'writes all that it read before, with what is added',
    points: { rewritesAll: true },
  },
];

const revokingMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'revokes-nothing',
    wrong: 'says that it revoked, and does not',
    change: () => ({ revoke: async () => true }),
  },
  {
    name: 'revokes-by-beginning',
    wrong: 'revokes the first approval whose id begins so',
    change: (right) => ({
      revoke: async (id, signal) => {
        const found = (await right.list(signal)).find((approval) => approval.id.startsWith(id));
        return found === undefined ? false : right.revoke(found.id, signal);
      },
    }),
  },
];

const faultMutants: readonly ApprovalStoreMutant[] = [
  { name: 'lists-damaged', wrong: 'lists what cannot be read', points: { readsDamaged: true } },
  {
    name: 'damage-empties-list',
    wrong: 'lists nothing where one record cannot be read',
    points: { readsDamaged: true },
    change: (right) => ({
      list: async (signal) => {
        const all = await right.list(signal);
        return all.length > 1 && all.some(({ allows }) => 'prefix' in allows && allows.prefix[0] === 'git') ? [] : all;
      },
    }),
  },
  {
    name: 'failed-add-told-as-kept',
    wrong: 'says that it kept what it could not write',
    change: (right) => ({
      add: async (approval, signal) => {
        await right.add(approval, signal);
        return null;
      },
    }),
  },
  {
    name: 'list-rejects-on-abort',
    wrong: 'rejects a list that is aborted',
    change: (right) => ({
      list: async (signal) => {
        signal.throwIfAborted();
        return right.list(signal);
      },
    }),
  },
  {
    name: 'leaves-listener',
    wrong: 'leaves a listener on the signal of a list',
    change: (right) => ({
      list: async (signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.list(signal);
      },
    }),
  },
];

/** What they keep, list and revoke. */
export const approvalStoreMutants: readonly ApprovalStoreMutant[] = [
  ...keepingMutants,
  ...revokingMutants,
  ...faultMutants,
];
