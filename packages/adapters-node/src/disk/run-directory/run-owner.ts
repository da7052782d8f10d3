import * as z from 'zod';
import { ownPidRealm } from '../../processes/pid-realm.ts';
import { ownIdentity, type ProcessIdentity } from '../../processes/process-identity.ts';

/** The process that created a run's directory, according to the owner file. */
export type RunOwner = ProcessIdentity & {
  /** The PID namespace in which to look up its process id; null on systems without namespaces. */
  readonly realm?: string | null | undefined;
};

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  startTicks: z.string().nullable(),
  realm: z.string().nullable().optional(),
});

/** The owner of a run that this process creates. Throws if the system is out of resources for the lookup. */
export function describeOwner(): RunOwner {
  return { ...ownIdentity(), realm: ownPidRealm() };
}

/** Returns null for a value that no server has written. */
export function parseOwner(value: unknown): RunOwner | null {
  const owner = ownerSchema.safeParse(value);
  return owner.success ? owner.data : null;
}

/** The evidence about a run whose server may be gone. */
export type RunSigns = {
  readonly owner: 'alive' | 'dead' | 'out-of-reach' | 'none';
  /** How long nothing has changed, by the observer's own clock. */
  readonly unchangedMs: number;
};

/** A living server touches the owner file of each of its runs at this interval. */
export const touchEveryMs = 5_000;

/** Six missed touches; also longer than creating a directory takes. */
const quietMs = 30_000;

/**
 * Whether the server of a run is gone. If its process cannot be looked up, it counts as gone once it has not touched the run for a while.
 */
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
