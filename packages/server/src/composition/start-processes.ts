import type { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { RunSweeper, type WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type { Clock, JobBoard } from '@gemini-mcp/core';
import type { LendingEndpoint } from '@gemini-mcp/tool-host/lending';
import type { LazyUpstreams } from '../hub/lazy-upstreams.ts';
import type { Log } from '../log/log.ts';
import { logPinnedPaths } from '../log/log-pinned-paths.ts';
import type { Configuration } from '../settings/configuration.ts';
import { warnOfState } from '../state/warn-of-state.ts';
import { runsDirectoryOf } from './create-server-runners.ts';

export type StartOptions = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly log: Log;
  readonly api: ApiGeminiRunner | null;
  readonly warm: WarmGeminiRunner | null;
  readonly lending: LendingEndpoint;
  readonly hub: LazyUpstreams;
  readonly jobs: Pick<JobBoard<unknown>, 'close'>;
};

/** Ends the jobs that go on without a call, and the processes and connections that are kept. Resolves when they have ended. */
export type CloseProcesses = () => Promise<void>;

/** Two sweeps, so far apart that the second one can judge all that the first has seen, within a minute of the start. */
const sweepPausesMs = [40_000, 10_000] as const;

/** For what another server leaves that is killed meanwhile, and what could not be removed. */
const laterSweepsMs = 300_000;

/**
 * Logs where the directories of the configuration were pinned, and whether its state can be kept; clears away what servers that were killed have left, now and at
 * times. Waits for neither.
 */
export function startProcesses(options: StartOptions): CloseProcesses {
  const { configuration, clock, log, api, warm, lending, hub, jobs } = options;
  logPinnedPaths(log, configuration);
  void warnOfState(configuration, log);
  const closing = new AbortController();
  const sweeper = new RunSweeper({ runsDirectory: runsDirectoryOf(configuration) });
  void sweepAtTimes({ sweeper, clock, log }, closing.signal);
  return async () => {
    closing.abort();
    // Told at the same time: a client waits two seconds for both, and a job on one of the processes is cancelled before that ends.
    await Promise.all([jobs.close(), warm?.close(), lending.close(), hub.close()]);
    // Afterwards: a call on one of the connections would read of a fault of the network instead of its end.
    await api?.close();
  };
}

type Sweeping = Pick<StartOptions, 'clock' | 'log'> & { readonly sweeper: RunSweeper };

/** Never rejects. */
async function sweepAtTimes({ sweeper, clock, log }: Sweeping, signal: AbortSignal): Promise<void> {
  for (let sweeps = 0; !signal.aborted; sweeps += 1) {
    const runIds = await sweeper.sweep();
    if (runIds.length > 0) {
      log.info('swept', { runs: runIds.length });
    }
    await clock.sleep(sweepPausesMs[sweeps] ?? laterSweepsMs, signal).catch(() => undefined);
  }
}
