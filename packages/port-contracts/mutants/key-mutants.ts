import type { Mutant } from './prove-mutants.ts';

export type KeyMutant = Mutant & { readonly keyOf: (key: string) => string };

/** What a store may take for the same key. */
export const keyMutants: readonly KeyMutant[] = [];
