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

/**
 * Whether the server of a run is gone. Where its process cannot be looked up, the server is taken for dead
 * once it has not touched the run for a while.
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
