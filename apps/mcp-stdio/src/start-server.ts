import { sweepRuns } from '@gemini-mcp/adapters-node';
import type { Surface } from '@gemini-mcp/mcp';
import { type Configuration, createCliLog, createLog, createRunLog, type LogOptions } from '@gemini-mcp/server';
import { composeServer, runsDirectoryOf } from './composition-root.ts';
import { JOBS, SURFACE } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Surface;
  /** Ends the jobs that go on without a call. Resolves when they have ended. */
  readonly close: () => Promise<void>;
};

/** Puts the server together and clears away what an earlier one that was killed has left. */
export function startServer({ configuration, logOptions }: ServerStart): StartedServer {
  const log = createLog(logOptions);
  sweepRuns(runsDirectoryOf(configuration)).then(
    (runIds) => runIds.length > 0 && log.info('swept', { runs: runIds.length }),
    (error: unknown) => log.warn('sweep-failed', { error }),
  );
  const container = composeServer({
    configuration,
    environment: { ...process.env, ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }) },
    onCliFound: createCliLog(log),
    onRun: createRunLog(log),
    onQuarantine: ({ path, reason }) => log.warn('quarantined', { path, reason }),
    onJobError: (error) => log.error('job-failed', { error }),
  });
  return { surface: container.resolve(SURFACE), close: () => container.resolve(JOBS).close() };
}
