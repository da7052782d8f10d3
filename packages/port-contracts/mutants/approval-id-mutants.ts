import type { ApprovalStoreMutant } from './approval-store-mutant.ts';
import { type ApprovalStorePoints, rightPoints } from './breakable-approval-store.ts';

let count = 0;

/** What they take for the same approval. */
export const approvalIdMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'random-ids',
    wrong: 'gives each approval an id of its own',
    points: {
      checksIds: false,
      idOf: () => {
        count += 1;
        return `id-${count}`;
      },
    },
  },
  {
    name: 'id-without-directory',
    wrong: 'makes the id without the directory',
    points: { idOf: ({ allows }) => rightPoints.idOf({ allows, directory: null }) },
  },
  {
    name: 'trusts-ids',
    wrong: 'lists what was changed by hand under the id that it had',
    points: { checksIds: false },
  },
  {
    name: 'id-of-two-words',
    wrong: 'makes the id of the first two words',
    points: { idOf: idOfWords((words) => words.slice(0, 2)) },
  },
];

type IdOf = ApprovalStorePoints['idOf'];

function idOfWords(change: (words: readonly string[]) => readonly string[]): IdOf {
  return ({ allows, directory }) => {
    const [program = '', ...others] = allows.type === 'command' ? change(allows.prefix) : [];
    return rightPoints.idOf({
      allows: allows.type === 'command' ? { ...allows, prefix: [program, ...others] } : allows,
      directory,
    });
  };
}
