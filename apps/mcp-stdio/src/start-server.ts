import type { Jobs, RecordStore } from '@gemini-mcp/core';
import type { SurfaceSource, ToolOutcome } from '@gemini-mcp/mcp';
import { type Configuration, type LogOptions, ownerOnThisMachine, startProcesses } from '@gemini-mcp/server';
import { composeWithLogin } from './compose-with-login.ts';
import { PARTS, SERVER, SURFACES } from './tokens.ts';

export type StdioServerStart = {
  readonly configuration: Configuration;
  readonly logOptions: LogOptions;
  /** Called whenever the surface may have changed. */
  readonly onChange: () => void;
};

/** A server that is ready for calls. */
export type StartedServer = {
  readonly surface: Pick<SurfaceSource, 'current'>;
  /** Lets jobs go on after the client has gone, until they have ended or the signal is aborted. Never rejects. */
  readonly finishJobs: (signal: AbortSignal) => Promise<void>;
  /** Everything that outlives the process. */
  readonly records: RecordStore;
  readonly jobs: Jobs<ToolOutcome>;
  /** Ends background jobs, warm processes and open connections. Resolves when all have ended. */
  readonly close: () => Promise<void>;
};

/** Composes the server and starts its background work. */
export async function startServer({ configuration, logOptions, onChange }: StdioServerStart): Promise<StartedServer> {
  const { container, log } = await composeWithLogin({ configuration, logOptions });
  const { offeredTo } = container.resolve(SERVER);
  const close = startProcesses({ configuration, log }, (name) => container.resolve(PARTS[name]));
  const surface = offeredTo(ownerOnThisMachine).over({ current: container.resolve(SURFACES) });
  surface.onChange?.(onChange);
  const jobs = container.resolve(PARTS.jobs);
  const finishJobs = async (signal: AbortSignal): Promise<void> => {
    if (jobs.lasting > 0) {
      log.info('client-gone', {
        jobs: jobs.lasting,
        message: 'The jobs go on, and their results wait for the next server.',
      });
    }
    // A job may wait on nothing that keeps Node running.
    const awake = setInterval(() => undefined, 60_000);
    await jobs.outliveClients(signal);
    clearInterval(awake);
  };
  return { surface, finishJobs, records: container.resolve(PARTS.records), jobs, close };
}
