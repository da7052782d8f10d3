import type { ContextDocument } from '@gemini-mcp/core';
import { changingBundle, type ResolverMutant, sortingBy } from './resolver-mutant.ts';

/** Mutants of the order of documents. */
export const orderMutants: readonly ResolverMutant[] = [
  {
    name: 'sorts-by-number',
    wrong: 'sorts `a2` before `a10`',
    create: sortingBy((one, other) => {
      const names = [one, other].map(({ path }) => path.replace(/\d+/g, (digits) => digits.padStart(5, '0')));
      return (names[0] ?? '') < (names[1] ?? '') ? -1 : 1;
    }),
  },
  {
    name: 'order-of-caller',
    wrong: "leaves named files in the caller's order",
    create: changingBundle(({ documents }, { files }) => {
      const isNamed = ({ path }: ContextDocument): boolean => files.includes(path);
      const named = documents
        .filter(isNamed)
        .toSorted((one, other) => files.indexOf(one.path) - files.indexOf(other.path));
      return { documents: [...named, ...documents.filter((document) => !isNamed(document))] };
    }),
  },
];
