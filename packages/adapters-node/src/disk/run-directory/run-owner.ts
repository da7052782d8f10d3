import * as z from 'zod';
import { ownPidRealm } from '../../processes/pid-realm.ts';
import { ownIdentity, type ProcessIdentity } from '../../processes/process-identity.ts';

/** Who has made the directory of a run, as its owner file says it. */
export type RunOwner = ProcessIdentity & {
  /** Where its process id can be looked up; null on systems that know no such thing. */
  readonly realm?: string | null | undefined;
};

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  startTicks: z.string().nullable(),
  realm: z.string().nullable().optional(),
});

/** The owner of a run that this process makes. Throws where the system has nothing left to look with. */
export function describeOwner(): RunOwner {
  return { ...ownIdentity(), realm: ownPidRealm() };
}

/** Null for what no server has written. */
export function parseOwner(value: unknown): RunOwner | null {
  const owner = ownerSchema.safeParse(value);
  return owner.success ? owner.data : null;
}

/** What is known of a run whose server may be gone. */
export type RunSigns = {
  readonly owner: 'alive' | 'dead' | 'out-of-reach' | 'none';
  /** For how long nothing has changed about it, by the observer's own clock. */
  readonly unchangedMs: number;
};

/** A living server touches the owner file of each of its runs so often. */
export const touchEveryMs = 5_000;

/** Six touches that did not come; also longer than it takes to make a directory. */
const quietMs = 30_000;

/** Whether the server of a run is gone; one whose process cannot be looked up is, once it has not touched the run for a while. */
export function isLeftBehind({ owner, unchangedMs }: RunSigns): boolean {
  switch (owner) {
    case 'alive':
      return false;
    case 'dead':
      return true;
    default:
      return unchangedMs >= quietMs;
  }
}
