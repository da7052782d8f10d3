import type { ApprovalStore, LastingApproval } from '@gemini-mcp/core';
import type { ApprovalStoreMutant } from './approval-store-mutant.ts';

type Approvals = readonly LastingApproval[];

function listing(change: (all: Approvals) => Approvals): (right: ApprovalStore) => Partial<ApprovalStore> {
  return (right) => ({ list: async (signal) => change(await right.list(signal)) });
}

const listMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'lists-at-most-twenty',
    wrong: 'lists twenty approvals and no more',
    change: listing((all) => all.slice(0, 20)),
  },
  {
    name: 'cleans-words',
    wrong: 'lists words without the control characters that are in them',
    change: listing((all) => all.map((each) => ({ ...each, allows: cleaned(each.allows) }))),
  },
  {
    name: 'keeps-damaged',
    wrong: 'lets a record that cannot be read stay in the place of one that is added',
    points: { replacesDamaged: false },
  },
];

function cleaned(allows: LastingApproval['allows']): LastingApproval['allows'] {
  if (allows.type === 'tool') {
    return allows;
  }
  const [program, ...others] = allows.prefix;
  const clean = (word: string): string => word.replace(/\p{Cc}/gu, '');
  return { ...allows, prefix: [clean(program), ...others.map(clean)] };
}

const revokingMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'hides-revoked',
    wrong: 'hides what was revoked until something is added',
    change: (right) => {
      const hidden = new Set<string>();
      return {
        list: async (signal) => (await right.list(signal)).filter(({ id }) => !hidden.has(id)),
        add: (approval, signal) => {
          hidden.clear();
          return right.add(approval, signal);
        },
        revoke: async (id, signal) => {
          const isThere = (await right.list(signal)).some((each) => each.id === id && !hidden.has(id));
          hidden.add(id);
          return isThere;
        },
      };
    },
  },
  {
    name: 'rejects-unknown-ids',
    wrong: 'rejects where there is nothing to revoke',
    change: (right) => ({
      revoke: async (id, signal) => {
        if (!(await right.revoke(id, signal))) {
          throw new Error('There is no such approval.');
        }
        return true;
      },
    }),
  },
  {
    name: 'denies-revoking',
    wrong: 'says that it did not revoke what it did',
    change: (right) => ({
      revoke: async (id, signal) => {
        await right.revoke(id, signal);
        return false;
      },
    }),
  },
  {
    name: 'always-revoked',
    wrong: 'says for each id that it was revoked',
    change: (right) => ({
      revoke: async (id, signal) => {
        await right.revoke(id, signal);
        return true;
      },
    }),
  },
  {
    name: 'trims-ids',
    wrong: 'revokes by an id with blanks around it',
    change: (right) => ({ revoke: (id, signal) => right.revoke(id.trim(), signal) }),
  },
  {
    name: 'revokes-by-longer-id',
    wrong: 'revokes by what begins with an id',
    change: (right) => ({
      revoke: async (id, signal) => {
        const found = (await right.list(signal)).find((approval) => id.startsWith(approval.id));
        return found === undefined ? false : right.revoke(found.id, signal);
      },
    }),
  },
];

const addingMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'says-not-why',
    wrong: 'says of what it could not write only that it failed',
    change: (right) => ({
      add: async (approval, signal) => ((await right.add(approval, signal)) === null ? null : 'failed'),
    }),
  },
  {
    name: 'failure-empties',
    wrong: 'loses the others where it cannot write',
    change: (right) => ({
      add: async (approval, signal) => {
        const problem = await right.add(approval, signal);
        for (const { id } of problem === null ? [] : await right.list(signal)) {
          await right.revoke(id, signal);
        }
        return problem;
      },
    }),
  },
  {
    name: 'refuses-the-same',
    wrong: 'says that it did not keep what is kept already',
    change: (right) => ({
      add: async (approval, signal) => {
        const before = await right.list(signal);
        const problem = await right.add(approval, signal);
        const isNew = (await right.list(signal)).length > before.length;
        return problem ?? (isNew ? null : 'It is kept already.');
      },
    }),
  },
];

const signalMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'add-rejects-on-abort',
    wrong: 'rejects an approval to keep that is aborted',
    change: (right) => ({
      add: async (approval, signal) => {
        signal.throwIfAborted();
        return right.add(approval, signal);
      },
    }),
  },
  {
    name: 'aborted-add-told-as-kept',
    wrong: 'says that it kept what it did not, where it is aborted',
    change: (right) => ({
      add: async (approval, signal) => (signal.aborted ? null : right.add(approval, signal)),
    }),
  },
  {
    name: 'revoke-rejects-on-abort',
    wrong: 'rejects to revoke where it is aborted',
    change: (right) => ({
      revoke: async (id, signal) => {
        signal.throwIfAborted();
        return right.revoke(id, signal);
      },
    }),
  },
  {
    name: 'aborted-revoke-told-as-done',
    wrong: 'says that it revoked what it did not, where it is aborted',
    change: (right) => ({
      revoke: async (id, signal) => signal.aborted || right.revoke(id, signal),
    }),
  },
  {
    name: 'add-leaves-listener',
    wrong: 'leaves a listener on the signal of an approval to keep',
    change: (right) => ({
      add: (approval, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.add(approval, signal);
      },
    }),
  },
  {
    name: 'revoke-leaves-listener',
    wrong: 'leaves a listener on the signal of a revocation',
    change: (right) => ({
      revoke: (id, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.revoke(id, signal);
      },
    }),
  },
];

/** What they say, where it is not so. */
export const approvalTruthMutants: readonly ApprovalStoreMutant[] = [
  ...listMutants,
  ...revokingMutants,
  ...addingMutants,
  ...signalMutants,
];
