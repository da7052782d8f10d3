import { sweepRuns } from '@gemini-mcp/adapters-node';
import type { Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  createChoiceLog,
  createLog,
  createPoolLog,
  createRunLog,
  type LogOptions,
} from '@gemini-mcp/server';
import { composeServer, runsDirectoryOf } from './composition-root.ts';
import { JOBS, SURFACE, WARM_RUNNER } from './tokens.ts';

export type ServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Surface;
  /** Ends the jobs that go on without a call, and the processes that are kept running. Resolves when they have ended. */
  readonly close: () => Promise<void>;
};

/**
 * Puts the server together, clears away what an earlier one that was killed has left, and starts the process that the first
 * call is to find where the configuration wants that. Waits for neither.
 */
export function startServer({ configuration, logOptions }: ServerStart): StartedServer {
  const log = createLog(logOptions);
  sweepRuns(runsDirectoryOf(configuration)).then(
    (runIds) => runIds.length > 0 && log.info('swept', { runs: runIds.length }),
    (error: unknown) => log.warn('sweep-failed', { error }),
  );
  const container = composeServer({
    configuration,
    environment: { ...process.env, ...(configuration.cli === null ? {} : { GEMINI_MCP_CLI: configuration.cli }) },
    onCliFound: ({ path, version, foundBy }) => log.info('cli-found', { path, version, foundBy }),
    onRun: createRunLog(log),
    onChoice: createChoiceLog(log),
    onPool: createPoolLog(log),
    onQuarantine: ({ path, reason }) => log.warn('quarantined', { path, reason }),
    onJobError: (error) => log.error('job-failed', { error }),
  });
  const surface = container.resolve(SURFACE);
  const warm = container.resolve(WARM_RUNNER);
  const closing = new AbortController();
  if (configuration.prewarm) {
    void warm?.warmUp({ model: configuration.modelChain[0] }, closing.signal);
  }
  const close = async (): Promise<void> => {
    closing.abort();
    // Told at the same time: a client waits two seconds for both, and a job on one of the processes is cancelled before that ends.
    await Promise.all([container.resolve(JOBS).close(), warm?.close()]);
  };
  return { surface, close };
}
