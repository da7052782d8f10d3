import { sweepRuns } from '@gemini-mcp/adapters-node';
import type { Tool } from '@gemini-mcp/mcp';
import { composeServer, runsDirectoryOf } from './composition-root.ts';
import type { Configuration } from './configuration.ts';
import type { StderrLog } from './stderr-log.ts';
import { TOOLS } from './tokens.ts';

/** Puts the server together and clears away what an earlier one that was killed has left. */
export function startServer(configuration: Configuration, log: StderrLog): readonly Tool[] {
  sweepRuns(runsDirectoryOf(configuration)).then(
    (runIds) => runIds.length > 0 && log('swept', { runs: runIds.length }),
    (error: unknown) => log('sweep-failed', { error }),
  );
  const container = composeServer({
    configuration,
    environment: process.env,
    onCliFound: ({ path, version, foundBy }) => log('cli-found', { path, version, foundBy }),
  });
  return container.resolve(TOOLS);
}
