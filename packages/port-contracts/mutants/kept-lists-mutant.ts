import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';
import type { BreakableRecords } from './breakable-records.ts';
import type { Mutant } from './prove-mutants.ts';

export type KeptListsMutant = Mutant & {
  readonly change?: (right: KeptLists, records: BreakableRecords<ServerLists>) => Partial<KeptLists>;
  /** What it keeps ends with the instance. */
  readonly forgets?: true;
};

/** One that gives back other lists than were saved. */
export function giving(
  name: string,
  wrong: string,
  change: (lists: ServerLists) => ServerLists | null,
): KeptListsMutant {
  return {
    name,
    wrong,
    change: (right) => ({
      load: async (key, signal) => {
        const lists = await right.load(key, signal);
        return lists === null ? null : change(lists);
      },
    }),
  };
}
