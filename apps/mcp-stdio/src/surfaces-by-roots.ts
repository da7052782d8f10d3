import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import type { ClientRootUris, Surface } from '@gemini-mcp/mcp';
import { type Configuration, type Log, type Reach, reachOfServer, resolveClientRoots } from '@gemini-mcp/server';

export type SurfacesByRootsOptions = {
  readonly configuration: Configuration;
  /** What is offered within the directories of the server. */
  readonly ofServer: Surface;
  readonly compose: (reach: Reach) => Surface;
  readonly log: Pick<Log, 'info'>;
};

/**
 * What a client is offered, by the roots that it has named. They count where the server has no root of its own, and nowhere
 * else: a client cannot widen what the operator has set.
 */
export function surfacesByRoots(options: SurfacesByRootsOptions): (uris: ClientRootUris) => Promise<Surface> {
  const { configuration, ofServer, compose, log } = options;
  return async (uris) => {
    if (configuration.noRootBecause === null || uris === null) {
      return ofServer;
    }
    const { directories, refused } = await resolveClientRoots(uris, homeDirectory(process.env));
    log.info('client-roots', { roots: directories, refused });
    return directories.length === 0
      ? compose(reachOfServer(configuration, ' The client has named no directory that can be a root either.'))
      : compose({ roots: directories, mayReadFiles: true, noFilesText: null });
  };
}
