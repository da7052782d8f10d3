import { sweepRuns } from '@gemini-mcp/adapters-node';
import type { Surface } from '@gemini-mcp/mcp';
import { type Configuration, createLog, type LogOptions } from '@gemini-mcp/server';
import { composeServer, runsDirectoryOf } from './composition-root.ts';
import { SURFACE } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
};

/** Puts the server together and clears away what an earlier one that was killed has left. */
export function startServer({ configuration, logOptions }: ServerStart): Surface {
  const log = createLog(logOptions);
  sweepRuns(runsDirectoryOf(configuration)).then(
    (runIds) => runIds.length > 0 && log.info('swept', { runs: runIds.length }),
    (error: unknown) => log.warn('sweep-failed', { error }),
  );
  const container = composeServer({
    configuration,
    environment: { ...process.env, ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }) },
    onCliFound: ({ path, version, foundBy }) => log.info('cli-found', { path, version, foundBy }),
    onQuarantine: ({ path, reason }) => log.warn('quarantined', { path, reason }),
  });
  return container.resolve(SURFACE);
}
