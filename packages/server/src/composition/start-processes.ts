import { sweepRuns, type WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type { JobBoard } from '@gemini-mcp/core';
import type { Log } from '../log/log.ts';
import { logPinnedPaths } from '../log/log-pinned-paths.ts';
import type { Configuration } from '../settings/configuration.ts';
import { runsDirectoryOf } from './create-runners.ts';

export type StartOptions = {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly warm: WarmGeminiRunner | null;
  readonly jobs: Pick<JobBoard<unknown>, 'close'>;
};

/** Ends the jobs that go on without a call, and the processes that are kept running. Resolves when they have ended. */
export type CloseProcesses = () => Promise<void>;

/**
 * Logs where the directories of the configuration were pinned, clears away what an earlier server that was killed has left, and starts the process that the first call is to find where the
 * configuration wants that. Waits for neither.
 */
export function startProcesses({ configuration, log, warm, jobs }: StartOptions): CloseProcesses {
  logPinnedPaths(log, configuration);
  sweepRuns(runsDirectoryOf(configuration)).then(
    (runIds) => runIds.length > 0 && log.info('swept', { runs: runIds.length }),
    (error: unknown) => log.warn('sweep-failed', { error }),
  );
  const closing = new AbortController();
  if (configuration.prewarm) {
    void warm?.warmUp({ model: configuration.modelChain[0] }, closing.signal);
  }
  return async () => {
    closing.abort();
    // Told at the same time: a client waits two seconds for both, and a job on one of the processes is cancelled before that ends.
    await Promise.all([jobs.close(), warm?.close()]);
  };
}
