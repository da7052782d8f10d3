import type { CredentialStore, ServerCredential } from '@gemini-mcp/core/internal';
import type { BreakableCredentialStore, CredentialPoints } from './breakable-credential-store.ts';
import type { Mutant } from './prove-mutants.ts';

export type CredentialStoreMutant = Mutant & {
  readonly points?: Partial<CredentialPoints>;
  readonly change?: (right: BreakableCredentialStore) => Partial<CredentialStore>;
  /** What it keeps ends with the instance. */
  readonly forgets?: true;
};

/** One that gives another credential than was saved. */
export function giving(
  name: string,
  wrong: string,
  change: (credential: ServerCredential) => Partial<ServerCredential>,
): CredentialStoreMutant {
  return {
    name,
    wrong,
    change: (right) => ({
      find: async (place, signal) => {
        const found = await right.find(place, signal);
        return found && { ...found, credential: { ...found.credential, ...change(found.credential) } };
      },
    }),
  };
}
