import type { ClientRootUris, Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  type Log,
  type Reach,
  reachOfRoots,
  reachOfServer,
  resolveClientRoots,
} from '@gemini-mcp/server';

export type SurfacesByRootsOptions = {
  readonly configuration: Configuration;
  readonly surfaceOf: (reach: Reach) => Surface;
  /** The user's home directory, which is too broad to be a root. */
  readonly home: string;
  readonly log: Pick<Log, 'info'>;
  /** Told the directories that count, as real paths. */
  readonly nameRoots: (directories: readonly string[]) => void;
};

/** What is offered to a client that has named these roots. */
export type SurfacesByRoots = (uris: ClientRootUris) => Promise<Surface>;

/**
 * What a client is offered, by the roots that it has named. They count where the server has no root of its own, and nowhere
 * else: a client cannot widen what the operator has set.
 */
export function surfacesByRoots({
  configuration,
  surfaceOf,
  home,
  log,
  nameRoots,
}: SurfacesByRootsOptions): SurfacesByRoots {
  const ofServer = surfaceOf(reachOfServer(configuration));
  let asked = 0;
  return async (uris) => {
    if (configuration.noRootBecause === null || uris === null) {
      return ofServer;
    }
    asked += 1;
    const number = asked;
    const { directories, refused } = await resolveClientRoots(uris, home);
    // Of two at once the later one counts, whichever is resolved first.
    if (number === asked) {
      nameRoots(directories);
    }
    log.info('client-roots', { roots: directories, refused });
    return surfaceOf(
      directories.length === 0
        ? reachOfServer(configuration, ' The client has named no directory that can be a root either.')
        : reachOfRoots(directories),
    );
  };
}
