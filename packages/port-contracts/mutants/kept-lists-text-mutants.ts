import { giving, type KeptListsMutant } from './kept-lists-mutant.ts';

const toolMutants: readonly KeptListsMutant[] = [];

const otherMutants: readonly KeptListsMutant[] = [
  giving('empty-is-none', 'gives nothing for lists with nothing in them', (lists) =>
    lists.tools.length === 0 ? null : lists,
  ),
];

/** What they lose of lists. */
export const keptListsTextMutants: readonly KeptListsMutant[] = [...toolMutants, ...otherMutants];
