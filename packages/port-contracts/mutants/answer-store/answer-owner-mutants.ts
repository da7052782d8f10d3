import type { AnswerStoreMutant } from './answer-mutant.ts';

/** Keeps all answers under an owner whose name is made from the true one. */
function renamingOwners(rename: (owner: string) => string): Pick<AnswerStoreMutant, 'mutate'> {
  return {
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save({ ...answer, owner: rename(answer.owner) }, signal);
        return saved.saved ? { saved: true, answer: { ...saved.answer, owner: answer.owner } } : saved;
      },
      load: async (owner, handle, signal) => {
        const answer = await right.load(rename(owner), handle, signal);
        return answer === null ? null : { ...answer, owner };
      },
      list: async (owner, limit, signal) =>
        (await right.list(rename(owner), limit, signal)).map((summary) => ({ ...summary, owner })),
    }),
  };
}

/** Mutants that confuse owners. */
export const ownerMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'lists-all-owners',
    wrong: "lists other owners' answers among the owner's",
    mutate: (right) => {
      const owners = new Set<string>();
      return {
        save: (answer, signal) => {
          owners.add(answer.owner);
          return right.save(answer, signal);
        },
        list: async (_, limit, signal) =>
          (await Promise.all([...owners].map((one) => right.list(one, limit, signal)))).flat().slice(0, limit),
      };
    },
  },
  { name: 'owner-cut', wrong: 'looks at five characters of an owner', ...renamingOwners((owner) => owner.slice(0, 5)) },
];
