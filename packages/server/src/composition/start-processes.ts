import { RunSweeper } from '@gemini-mcp/adapters-node';
import { releaseRecorded } from '@gemini-mcp/adapters-node/internal';
import { logPinnedPaths } from '../log/event-logs.ts';
import { warnOfState } from '../state/find-state-problem.ts';
import { runsDirectoryOf } from './create-server-runners.ts';
import type { ResolvePart, ServerOptions, ServerParts } from './server-parts.ts';

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
export function startProcesses(
  { configuration, log }: Pick<ServerOptions, 'configuration' | 'log'>,
  part: ResolvePart,
): CloseProcesses {
  const [clock, runners] = [part('clock'), part('runners')];
  logPinnedPaths(log, configuration);
  void warnOfState(configuration, log);
  const closing = new AbortController();
  const sweeper = new RunSweeper({ runsDirectory: runsDirectoryOf(configuration), release: releaseRecorded });
  void sweepAtTimes({ sweeper, clock, log }, closing.signal);
  return async () => {
    closing.abort();
    // Jobs first: those that run hear of their end, and not of a fault of the network. All at the same time: a client waits two seconds.
    const jobs = part('jobs').close();
    const kept = [part('loopbackToolServer').close(), part('upstreams').upstreams.close()];
    await Promise.all([jobs, ...runners.map((runner) => runner.close?.()), ...kept]);
  };
}

type Sweeping = Pick<ServerOptions, 'log'> & Pick<ServerParts, 'clock'> & { readonly sweeper: RunSweeper };

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
