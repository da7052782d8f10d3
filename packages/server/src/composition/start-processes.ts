import { RunSweeper } from '@gemini-mcp/adapters-node';
import { releaseRecorded } from '@gemini-mcp/adapters-node/internal';
import { warnOfState } from '../doctor/find-state-problem.ts';
import { logPinnedPaths } from '../log/event-logs.ts';
import { runsDirectoryOf } from './create-server-runners.ts';
import { logSharedStore } from './open-shared-store.ts';
import type { ResolvePart, ServerOptions, ServerParts } from './server-parts.ts';

/** Ends background jobs, warm processes and open connections. Resolves when all have ended. */
export type CloseProcesses = () => Promise<void>;

/** Two sweeps within a minute of the start, far enough apart that the second can judge everything the first saw. */
const sweepPausesMs = [40_000, 10_000] as const;

/** Catches the remains of servers killed since, and whatever an earlier sweep could not remove. */
const laterSweepsMs = 300_000;

/**
 * Logs the pinned directories of the configuration and whether its state can be stored. Removes the remains of killed servers, now and periodically.
 * Waits for neither.
 */
export function startProcesses(
  { configuration, log }: Pick<ServerOptions, 'configuration' | 'log'>,
  part: ResolvePart,
): CloseProcesses {
  const [clock, runners] = [part('clock'), part('runners')];
  logPinnedPaths(log, configuration);
  void warnOfState(configuration, log);
  void logSharedStore({ configuration, clock }, log);
  const closing = new AbortController();
  const sweeper = new RunSweeper({ runsDirectory: runsDirectoryOf(configuration), release: releaseRecorded });
  void sweepAtTimes({ sweeper, clock, log }, closing.signal);
  return async () => {
    closing.abort();
    // Jobs first, so that running jobs end as cancelled and not with a network error. All at once, because a client waits only two seconds.
    const jobs = part('jobs').close();
    const kept = [part('loopbackToolServer').close(), part('upstreams').upstreams.close()];
    await Promise.all([jobs, ...runners.map((runner) => runner.close?.()), ...kept]);
    // The calls that have just ended are recorded as well.
    await Promise.all([part('usage').close(), part('audit')?.close()]);
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
